"""The phrases that feedback reports are put together from; `reports` chooses and fills them.

In every pair of lists "fail" speaks to a student who is predicted to fail (what to change) and "pass"
to one who is predicted to pass (what to keep). Slots: {course} {week} {label} {value} {typical} and,
in actions, {title} {topic} {needs} {earlier}. No phrase holds a digit: numbers come from the data.
"""

from data.course import Outcome

Phrases = tuple[str, ...]

GOALS: Phrases = (
    "Your goal is to pass {course} and to feel at home with its ideas.",
    "You are working towards passing {course}, with filters and sampling as its core.",
    "The aim of these ten weeks is that you pass {course} and can use what you learned.",
    "We both want you to finish {course} with a pass and a solid grasp of signals.",
    "Let us look at your way towards passing {course}.",
    "Half of {course} is behind you, and the goal is still to pass with understanding.",
)

STATUS: dict[Outcome, Phrases] = {
    "fail": (
        "At the moment that goal is at risk, but there is time to turn this around.",
        "So far your study pattern makes it hard to get there, and it can still change.",
        "Right now you are behind, yet a few changes would make a clear difference.",
        "The first weeks were not strong enough, and the second half is your chance.",
        "You are not on track yet, so here is what would help most.",
        "Your current habits will probably not be enough, so let us adjust them together.",
    ),
    "pass": (
        "You are on a good path, and your habits are the reason.",
        "So far your work points clearly in the right direction.",
        "You are on track, so this report is about what to keep.",
        "Your study pattern supports this goal well.",
        "Things look good, and it is worth knowing why.",
        "Well done so far: the way you study is paying off.",
    ),
}

# Half sentences that state a value, by feature; DEFAULT_CLAUSES for all others.
CLAUSES: dict[str, Phrases] = {
    "RegPeakTimeDayHour": ("you scored {value} for {label}", "your score for {label} was {value}"),
    "RegPeriodicityDayHour": ("you scored {value} for {label}", "your {label} stood at {value}"),
    "StdTimeBetweenSessions": ("your measure of {label} stood at {value}",),
    "TotalClicksVideoLoad": ("your count of {label} stood at {value}",),
    "CompetencyAlignment": ("you had {value} of the {label}", "you got {value} of the {label}"),
    "CompetencyAnticipation": ("you had {value} of the later {label}",),
    "ContentAlignment": ("you had {value} of the {label}", "you got {value} of the {label}"),
    "ContentAnticipation": ("you had {value} of the later {label}",),
    "StudentShape": ("you had {value} of your quiz {label}", "you got {value} of the {label}"),
}
DEFAULT_CLAUSES: Phrases = ("your {label} came to {value}", "your {label} was {value}")

# Sentences that set a clause against the class; "class" or "typical" marks the second number.
COMPARED: dict[Outcome, Phrases] = {
    "fail": (
        "In week {week} {clause}, while the class is typically at {typical}.",
        "In week {week} {clause}; a typical student is at {typical}.",
        "In week {week} {clause}, whereas {typical} is typical of the class.",
        "During week {week} {clause}, compared with {typical} for a typical student.",
        "Looking at week {week}, {clause}, and the class is usually at {typical}.",
        "In week {week} {clause}, not yet at the {typical} that is usual in the class.",
    ),
    "pass": (
        "In week {week} {clause}, better than the {typical} typical of the class.",
        "In week {week} {clause}; a typical student is at {typical}.",
        "During week {week} {clause}, ahead of the class at {typical}.",
        "In week {week} {clause}, which compares well with {typical} for a typical student.",
        "Looking at week {week}, {clause}, while the class is usually at {typical}.",
        "In week {week} {clause}, a good step from the {typical} that is usual in the class.",
    ),
}
ALONE: Phrases = (
    "In week {week} {clause}.",
    "During week {week} {clause}.",
    "Looking at week {week}, {clause}.",
)
TWO_WEEKS: dict[Outcome, Phrases] = {
    "fail": (
        "This is not one bad week: in week {week} {clause}, and in week {again} {clause_again}.",
        "The pattern repeats: in week {week} {clause}, and in week {again} {clause_again}.",
    ),
    "pass": (
        "This is no lucky week: in week {week} {clause}, and in week {again} {clause_again}.",
        "The pattern holds: in week {week} {clause}, and in week {again} {clause_again}.",
    ),
}
CONTRAST: dict[Outcome, Phrases] = {
    "fail": (
        "For {label} in week {week}, the class is typically at {typical}; getting closer to that helps most.",
        "A typical student is at {typical} for {label} in week {week}, and moving there would help you most.",
        "Had you been near the class at {typical} for {label} in week {week}, the outlook would be brighter.",
    ),
    "pass": (
        "For {label} in week {week}, the class is typically at {typical}, so you have a lead worth keeping.",
        "A typical student is at {typical} for {label} in week {week}; there your lead would be smaller.",
        "With the {typical} typical of the class for {label} in week {week}, your position would be weaker.",
    ),
}

NAMES: dict[str, tuple[str, str, str]] = {
    "nr": ("Necessary causes", "Robust explanation", ""),
    "ac": ("Abnormal causes", "Recent events", "Controllable factors"),
    "con": ("Target event", "Contrast event", "Key differences"),
}
# Said after the finding under the named part.
REMARKS: dict[str, dict[Outcome, Phrases]] = {
    "Necessary causes": {
        "fail": ("Without a change here, other efforts will carry less far.", "These two points weigh most."),
        "pass": (
            "Without these habits your position would be weaker.",
            "These two habits carry most weight.",
        ),
    },
    "Robust explanation": {
        "fail": ("So it is a dependable sign of where to start.", "That makes it a reliable place to start."),
        "pass": ("So it is a dependable strength.", "That makes it a reliable strength to build on."),
    },
    "Abnormal causes": {
        "fail": ("This is the point that differs most from what we hope to see.", "This stands out most."),
        "pass": ("This is your most striking strength.", "This stands out most, in a good way."),
    },
    "Recent events": {
        "fail": ("It is recent, so you can still react.", "The latest weeks matter most for what follows."),
        "pass": (
            "It is recent, so the momentum is yours.",
            "Your latest weeks prepare you well for the next.",
        ),
    },
    "Controllable factors": {
        "fail": ("This is in your own hands.", "You can decide this anew every week."),
        "pass": ("You chose this habit, and you can keep it.", "This is your own doing, so hold on to it."),
    },
    "Key differences": {
        "fail": ("Here lies the main gap.", "Closing this gap step by step is realistic."),
        "pass": ("Here lies your main advantage.", "This is what sets you apart."),
    },
}
# Why a behaviour matters, by its dimension in the catalogue.
REASONS: dict[str, Phrases] = {
    "effort": (
        "Time with the material is what makes new ideas settle.",
        "Active work with lectures and problems is how understanding grows.",
    ),
    "consistency": (
        "Each week builds on the one before, so an even pace pays off.",
        "Keeping up with the videos makes the next week easier to follow.",
    ),
    "regularity": (
        "A steady rhythm makes it easier to remember what you learned.",
        "Fixed study times protect your work from busy days.",
    ),
    "proactivity": (
        "Starting early leaves time to ask about what is unclear.",
        "An early first look makes the lectures easier to follow.",
    ),
    "assessment": (
        "Solving problems shows whether the theory has arrived.",
        "Quiz problems train the very skills that the exam asks for.",
    ),
    "control": (
        "Seeing a difficult passage twice is often when it becomes clear.",
        "A second viewing turns listening into understanding.",
    ),
}

# What to do, by feature: to make it better (fail) or to keep it (pass).
ACTIONS: dict[str, dict[Outcome, Phrases]] = {
    "RegPeakTimeDayHour": {
        "fail": (
            "choose two fixed hours of the day and study only then",
            "give your study time a fixed hour",
        ),
        "pass": ("keep your fixed study hours", "stay with the hours of the day that work for you"),
    },
    "RegPeriodicityDayHour": {
        "fail": ("study at the same time on most days", "set a daily study slot and protect it"),
        "pass": ("keep your daily rhythm", "go on studying at your usual time of day"),
    },
    "DelayLecture": {
        "fail": (
            "watch each lecture within a day of its release",
            "open the new videos at the start of the week",
        ),
        "pass": ("keep watching lectures soon after release", "go on opening new videos early in the week"),
    },
    "NumberOfSessions": {
        "fail": (
            "plan one more study session than last week",
            "add two short study sessions to your calendar",
        ),
        "pass": ("keep coming back for as many sessions as now", "hold on to your number of study sessions"),
    },
    "TotalTimeSessions": {
        "fail": ("reserve one more hour for the course", "add an hour of study on a quiet day"),
        "pass": ("keep giving the course the time you do now", "protect the study time you already have"),
    },
    "AvgTimeSessions": {
        "fail": ("stay a little longer in each session", "make each session long enough to finish a topic"),
        "pass": ("keep sessions as long as they are now", "stay with your calm, long sessions"),
    },
    "StdTimeBetweenSessions": {
        "fail": ("spread your sessions evenly over the week", "avoid long gaps between two sessions"),
        "pass": ("keep spreading your sessions evenly", "hold on to your even breaks"),
    },
    "TotalClicksWeekday": {
        "fail": ("move more of your work to weekdays", "start on a weekday instead of waiting"),
        "pass": ("keep working on weekdays", "stay as active on weekdays as now"),
    },
    "TotalClicksVideo": {
        "fail": ("pause and rewind the videos and take notes", "work actively with each video"),
        "pass": ("keep working actively with the videos", "go on pausing and replaying where it helps"),
    },
    "TotalClicksVideoLoad": {
        "fail": ("open every lecture video at least once", "return to the videos whenever you are stuck"),
        "pass": ("keep returning to the lecture videos", "go on opening the videos as often as now"),
    },
    "TotalTimeVideo": {
        "fail": ("give the lecture videos an extra half hour", "watch the lecture videos to the end"),
        "pass": ("keep taking your time with the videos", "go on watching the videos with care"),
    },
    "TotalTimeProblem": {
        "fail": ("take an extra half hour for the quiz problems", "stay longer with each quiz problem"),
        "pass": ("keep taking time for the quiz problems", "go on working patiently on the quizzes"),
    },
    "AvgReplayedWeeklyProp": {
        "fail": ("watch the hardest video a second time", "replay one difficult video on another day"),
        "pass": ("keep replaying the difficult videos", "go on watching hard passages twice"),
    },
    "CompetencyStrength": {
        "fail": (
            "work out each quiz problem on paper before you answer",
            "answer a quiz only when you are sure",
        ),
        "pass": ("keep preparing before you answer a quiz", "go on solving quizzes with few attempts"),
    },
    "CompetencyAlignment": {
        "fail": (
            "finish all quiz problems in their own week",
            "try every quiz problem and ask where you are stuck",
        ),
        "pass": ("keep finishing the quiz problems in their week", "go on solving quizzes to the end"),
    },
    "CompetencyAnticipation": {
        "fail": ("try one quiz problem of the following week early", "look at a coming quiz ahead of time"),
        "pass": ("keep looking at coming quizzes early", "go on trying quiz problems ahead of time"),
    },
    "ContentAlignment": {
        "fail": ("open every video in its own week", "watch all videos before the week ends"),
        "pass": ("keep opening the videos in their own week", "go on following the videos week by week"),
    },
    "ContentAnticipation": {
        "fail": ("preview one video of the following week", "look at a coming video ahead of time"),
        "pass": ("keep previewing coming videos", "go on looking ahead at the next videos"),
    },
    "StudentShape": {
        "fail": ("practise on an exercise before each quiz", "check each answer once before you submit it"),
        "pass": (
            "keep solving problems carefully the first time",
            "go on preparing before the first attempt",
        ),
    },
}
DEFAULT_ACTION: dict[Outcome, Phrases] = {
    "fail": ("plan your study time at the start of the week", "work through the material a little every day"),
    "pass": ("keep working the way you do now", "stay with the habits that brought you here"),
}
LINKED: Phrases = (
    "In week {week}, {action}, because {topic} builds on {needs} from week {earlier}.",
    "In week {week}, {action}: {topic} needs {needs} from week {earlier}.",
    "In week {week}, {action} and review {needs} from week {earlier}, which {topic} relies on.",
)
PLAIN_ACTION: Phrases = (
    "In week {week} ({title}), {action} and begin with {topic}.",
    "In week {week} ({title}), {action}, above all for {topic}.",
    "In week {week}, {action} while you learn about {topic}.",
)
LEADS: Phrases = (
    "Where to next:",
    "Two steps for the coming weeks:",
    "What I suggest next:",
    "Your next two steps:",
)
CLOSINGS: dict[Outcome, Phrases] = {
    "fail": (
        "Small, steady steps are enough, and I am glad to help along the way.",
        "Start with one of these, and come to me if you get stuck.",
        "I am confident that you can do this.",
        "It is not too late, and every week counts.",
    ),
    "pass": (
        "Keep going like this, and enjoy the second half.",
        "I look forward to seeing you continue this way.",
        "You can be proud of this first half.",
        "Stay curious, and ask whenever something is unclear.",
    ),
}

# For students without an explanation: what each named part honestly says.
UNEXPLAINED: dict[Outcome, tuple[Phrases, Phrases, Phrases]] = {
    "pass": (
        ("No single behaviour decides your position: your work is strong in many places at once.",
         "I found no short list of behaviours that your result hangs on, because many are strong."),
        ("The picture is the same in all of the concluded weeks, so it does not rest on one good moment.",
         "This holds for early and late weeks alike, which makes it a stable result."),
        ("All of your habits play together, and all of them are your own choice.",
         "What counts is the whole of your habits, and you can simply carry on."),
    ),
    "fail": (
        ("No single behaviour explains your position: several of them lag behind at once.",
         "I found no short list of behaviours that would settle this, because many need attention."),
        ("The picture is similar in all of the concluded weeks, so one good week alone will not change it.",
         "This holds for early and late weeks alike, so a lasting new routine matters more than one push."),
        ("Your routine as a whole is in your own hands, and that is the place to begin.",
         "What you can change is the routine itself, one week at a time."),
    ),
}  # fmt: skip

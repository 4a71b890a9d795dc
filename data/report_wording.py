"""The phrases that feedback reports are put together from; `reports` chooses and fills them.

In every pair of lists "fail" speaks to a student who is predicted to fail (what to change) and "pass"
to one who is predicted to pass (what to keep). Slots: {course} {week} {label} {value} {typical} and,
in steps, {action} (see report_actions) {title} {topic} {needs} {earlier}. No phrase holds a digit: numbers
come from the data.
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
    "TotalClicks": ("your {label} came to {value}",),
    "TotalClicksWeekday": ("your {label} came to {value}",),
    "TotalClicksVideo": ("your {label} came to {value}", "your {label} added up to {value}"),
    "TotalClicksProblem": ("your {label} came to {value}",),
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
        "Looking at week {week}, {clause}, but the class is usually at {typical}.",
        "In week {week} {clause}, not yet at the {typical} that is usual in the class.",
    ),
    "pass": (
        "In week {week} {clause}, better than the {typical} typical of the class.",
        "In week {week} {clause}; a typical student is at {typical}.",
        "During week {week} {clause}, ahead of the class at {typical}.",
        "In week {week} {clause}, which compares well with {typical} for a typical student.",
        "Looking at week {week}, {clause}, while the class is usually at {typical}.",
        "In week {week} {clause}, stronger than the {typical} that is usual in the class.",
    ),
}
ALONE: Phrases = (
    "In week {week} {clause}.",
    "During week {week} {clause}.",
    "Looking at week {week}, {clause}.",
)
# A behaviour that was just told for one week, in another.
ECHOED: dict[Outcome, Phrases] = {
    "fail": (
        "This is not one bad week: in week {week} {clause}.",
        "The same shows in week {week}, when {clause}.",
        "The pattern repeats, since in week {week} {clause}.",
    ),
    "pass": (
        "This is no lucky week: in week {week} {clause}.",
        "The same shows in week {week}, when {clause}.",
        "The pattern holds, since in week {week} {clause}.",
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
        ("I looked at all of the concluded weeks together, so this does not rest on one good moment.",
         "Even several changes at once would hardly alter the picture, which makes it a stable result."),
        ("All of your habits play together, and all of them are your own choice.",
         "What counts is the whole of your habits, and you can simply carry on."),
    ),
    "fail": (
        ("No single behaviour explains your position: several of them lag behind at once.",
         "I found no short list of behaviours that would settle this, because many need attention."),
        ("I looked at all of the concluded weeks together, so one good week alone changes little.",
         "A few changes alone would alter little, so a lasting new routine matters more than one push."),
        ("Your routine as a whole is in your own hands, and that is the place to begin.",
         "What you can change is the routine itself, one week at a time."),
    ),
}  # fmt: skip

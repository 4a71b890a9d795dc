"""What reports advise to do about a behaviour; like report_wording, without digits.

"fail" speaks to a student who is predicted to fail (what to change), "pass" to one who is predicted to
pass (what to keep). Every phrase continues "In week 6, ...".
"""

from data.course import Outcome
from data.report_wording import Phrases

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

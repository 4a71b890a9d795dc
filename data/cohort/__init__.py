"""Students simulated click by click, with the grades that follow from what they did; no real person is in here.

`traits` says what a student is like and how that drifts over the weeks, `session` what they click, `week` how a week's
work is shared out, `grading` what they learn and what they get for it. `simulate` is the way in, `demo.toml` the
settings of our four courses, and `scribe courses simulate dsp --out DIR` writes a past and a current run of one.

Quartiles of a student's week in the past run; beside them median and highest in the only course of this sort whose
values are published (the toy course of Swamy et al. 2022, evaluating-explainers: 9 students, 12 weeks):

                                dsp                 geo                 va                  published
    TotalClicks                 27 / 44 / 65        54 / 86 / 127       57 / 90 / 131       157, 656
    NumberOfSessions            2 / 4 / 6           2 / 4 / 5           2 / 4 / 5           3, 11
    TotalTimeSessions     min   62 / 104 / 154      63 / 101 / 143      68 / 106 / 151
    TotalTimeVideo        min   25 / 46 / 69        40 / 64 / 92        47 / 74 / 104       146, 648
    TotalTimeProblem      min   2.1 / 8 / 15        1.1 / 4.9 / 9.3     0.28 / 1.9 / 5      21, 152
    ContentAlignment      %     50 / 75 / 100       50 / 80 / 100       50 / 80 / 100
    DelayLecture          h     0.53 / 28 / 64      16 / 48 / 81        19 / 49 / 81
    CompetencyStrength    %     58 / 75 / 88        56 / 75 / 100       no marks
"""

"""`scribe picture`: a picture as a file, and on the screen what is on it."""

import argparse

from app import build
from app.settings import Settings
from data.pictures.files import choose_format, save_picture
from data.pictures.importance import describe_importance, draw_importance_map
from data.pictures.influence import list_recorded_features
from data.pictures.reliability import describe_reliability, draw_reliability_curve
from data.pictures.topics import describe_topics, draw_topic_map
from data.predictor.quality import read_quality

MAKE = build.MakeBackend | None


def importance(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """What weighs in a student's expected result. Raises UsageError for an unknown student."""
    choose_format(arguments.out)
    course = build.course(settings, arguments.course)
    student = build.student(course, arguments.student)
    features = list_recorded_features(course) if arguments.all else None
    save_picture(draw_importance_map(course, student, features), arguments.out)
    print(describe_importance(course, student))
    return 0


def reliability(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """How far the predictions can be trusted. Raises BundleError for a bundle that does not say."""
    choose_format(arguments.out)
    course = build.course(settings, arguments.course)
    quality = read_quality(build.courses_folder(settings) / course.id)
    save_picture(draw_reliability_curve(quality, course.title), arguments.out)
    print(describe_reliability(quality))
    return 0


def topics(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """How the topics build on each other. Raises BundleError for an unknown week or topic."""
    choose_format(arguments.out)
    course = build.course(settings, arguments.course)
    save_picture(draw_topic_map(course, arguments.week, arguments.topic), arguments.out)
    print(describe_topics(course, arguments.week, arguments.topic))
    return 0

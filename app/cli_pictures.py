"""`scribe picture`: a picture as a file, and on the screen what is on it."""

import argparse

from app import build
from app.settings import Settings
from data.pictures.files import kind_of, save
from data.pictures.importance import importance_map
from data.pictures.influence import recorded
from data.pictures.quality import read_quality
from data.pictures.reliability import reliability as reliability_curve
from data.pictures.topics import topic_map
from data.pictures.words import importance_words, reliability_words, topics_words

MAKE = build.MakeBackend | None


def importance(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """What weighs in a student's expected result. Raises UsageError for an unknown student."""
    kind_of(arguments.out)
    course = build.course(settings, arguments.course)
    student = build.student(course, arguments.student)
    features = recorded(course) if arguments.all else None
    save(importance_map(course, student, features), arguments.out)
    print(importance_words(course, student))
    return 0


def reliability(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """How far the predictions can be trusted. Raises BundleError for a bundle that does not say."""
    kind_of(arguments.out)
    course = build.course(settings, arguments.course)
    quality = read_quality(build.courses_folder(settings) / course.id)
    save(reliability_curve(quality, course.title), arguments.out)
    print(reliability_words(quality))
    return 0


def topics(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """How the topics build on each other. Raises BundleError for an unknown week or topic."""
    kind_of(arguments.out)
    course = build.course(settings, arguments.course)
    save(topic_map(course, arguments.week, arguments.topic), arguments.out)
    print(topics_words(course, arguments.week, arguments.topic))
    return 0

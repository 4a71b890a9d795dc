"""`scribe picture`: a picture as a file, and on the screen what is on it."""

import argparse
from pathlib import Path

from app.commands.arguments import add_course, add_student, add_subcommand
from data.pictures.canvas import choose_format, save_picture
from data.pictures.importance import describe_importance, draw_importance_map
from data.pictures.influence import list_recorded_features
from data.pictures.reliability import describe_reliability, draw_reliability_curve
from data.pictures.topics import describe_topics, draw_topic_map
from data.predictor.quality import read_quality
from tools.assembly.assistant import find_course, find_student, locate_courses
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The pictures there are."""
    under = parser.add_subparsers(required=True, metavar="KIND")
    importance = add_subcommand(
        under, "importance", "what weighs in a student's expected result, week by week", draw_importance
    )
    reliability = add_subcommand(under, "reliability", "how far the predictions can be trusted", draw_reliability)
    topics = add_subcommand(under, "topics", "how the topics build on each other", draw_topics)
    for picture in (importance, reliability, topics):
        picture.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .png, .svg or .pdf file")
    add_student(importance)
    importance.add_argument("--all", action="store_true", help="every recorded behaviour, not only what weighs")
    add_course(reliability)
    add_course(topics)
    chain = topics.add_mutually_exclusive_group()
    chain.add_argument("--week", type=int, metavar="N", help="mark what this week builds on")
    chain.add_argument("--topic", metavar="NAME", help="mark what this topic builds on")


def draw_importance(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """What weighs in a student's expected result. Raises UsageError for an unknown student."""
    choose_format(arguments.out)
    course = find_course(settings, arguments.course)
    student = find_student(course, arguments.student)
    features = list_recorded_features(course) if arguments.all else None
    save_picture(draw_importance_map(course, student, features), arguments.out)
    print(describe_importance(course, student))
    return 0


def draw_reliability(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """How far the predictions can be trusted. Raises BundleError for a bundle that does not say."""
    choose_format(arguments.out)
    course = find_course(settings, arguments.course)
    quality = read_quality(locate_courses(settings) / course.id)
    save_picture(draw_reliability_curve(quality, course.title), arguments.out)
    print(describe_reliability(quality))
    return 0


def draw_topics(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """How the topics build on each other. Raises BundleError for an unknown week or topic."""
    choose_format(arguments.out)
    course = find_course(settings, arguments.course)
    save_picture(draw_topic_map(course, arguments.week, arguments.topic), arguments.out)
    print(describe_topics(course, arguments.week, arguments.topic))
    return 0

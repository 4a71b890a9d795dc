"""`scribe picture`: a picture as a file, and on the screen what is on it."""

import argparse
from pathlib import Path

from matplotlib.figure import Figure

from app.commands.arguments import add_course, add_student, add_subcommand
from data.pictures.canvas import save_picture
from data.pictures.importance import describe_importance, draw_importance_map
from data.pictures.influence import list_recorded_features
from data.pictures.reliability import describe_reliability, draw_reliability_curve
from data.pictures.topics import describe_topics, draw_topic_map
from data.predictor.quality import read_quality
from tools.assembly.assistant import find_course, find_student, locate_courses
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    under = parser.add_subparsers(required=True, metavar="KIND")
    weighs = "what weighs in a student's expected result, week by week"
    importance = add_subcommand(under, "importance", weighs, draw_importance)
    reliability = add_subcommand(under, "reliability", "how far the predictions can be trusted", draw_reliability)
    topics = add_subcommand(under, "topics", "how the topics build on each other", draw_topics)
    add_student(importance)
    importance.add_argument("--all", action="store_true", help="every recorded behaviour, not only what weighs")
    add_course(reliability)
    add_course(topics)
    chain = topics.add_mutually_exclusive_group()
    chain.add_argument("--week", type=int, metavar="N", help="mark what this week builds on")
    chain.add_argument("--topic", metavar="NAME", help="mark what this topic builds on")
    for picture in (importance, reliability, topics):
        picture.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .png, .svg or .pdf file")


def draw_importance(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """What weighs in a student's expected result. Raises UsageError for an unknown student."""
    course = find_course(settings, arguments.course)
    student = find_student(course, arguments.student)
    features = list_recorded_features(course) if arguments.all else None
    figure = draw_importance_map(course, student, features)
    return _keep(figure, describe_importance(course, student), arguments.out)


def draw_reliability(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """How far the predictions can be trusted. Raises BundleError for a bundle that does not say."""
    course = find_course(settings, arguments.course)
    quality = read_quality(locate_courses(settings) / course.id)
    return _keep(draw_reliability_curve(quality, course.title), describe_reliability(quality), arguments.out)


def draw_topics(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """How the topics build on each other. Raises BundleError for an unknown week or topic."""
    course, marked = find_course(settings, arguments.course), (arguments.week, arguments.topic)
    return _keep(draw_topic_map(course, *marked), describe_topics(course, *marked), arguments.out)


def _keep(figure: Figure, words: str, out: Path) -> int:
    save_picture(figure, out)
    print(words)
    return 0

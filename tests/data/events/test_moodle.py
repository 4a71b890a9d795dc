"""A record of Moodle's log becomes the event it records, is counted as unknown, or is reported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from data.events.lines import read_blocks
from data.events.moodle import read_batches
from data.events.schema import SCHEMA, EventBatch, EventsError, Kind
from tests.data.events.written_logs import ENGLISH, FRENCH, row, write

SUBMITTED = "The user with id '12' has submitted the attempt with id '88' for the quiz with the course module id '9'."


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "logs.csv"


def batches(path: Path, size: int = 10_000) -> Iterator[EventBatch]:
    return read_batches(read_blocks(path, lambda done: None, size), path, "Europe/Zurich")


def read(path: Path, *lines: str, header: str = ENGLISH) -> EventBatch:
    [batch] = batches(write(path, [header, *lines]))
    return batch


def only(path: Path, line: str, header: str = ENGLISH) -> dict[str, Any]:
    batch = read(path, line, header=header)
    assert batch.problems.is_empty(), batch.problems
    assert batch.events.height == 1, batch.unknown
    return batch.events.row(0, named=True)


def test_a_record_has_its_student_time_kind_and_object(log: Path) -> None:
    event = only(log, row())
    assert (event["student"], event["kind"], event["object"]) == ("12", Kind.PAGE_VIEW, "643")
    assert event["time"].isoformat() == "2026-09-14T10:00:05+00:00", "12:00 in Zurich in summer"
    assert event["value"] is None
    assert read(log, row()).events.schema == SCHEMA


@pytest.mark.parametrize(
    ("component", "english", "french", "kind"),
    [
        ("Page", "Course module viewed", "Module de cours consulté", Kind.PAGE_VIEW),
        ("URL", "Course module viewed", "Module de cours consulté", Kind.PAGE_VIEW),
        ("System", "Course viewed", "Cours consulté", Kind.PAGE_VIEW),
        ("Quiz", "Quiz attempt viewed", "Tentative de test consultée", Kind.PAGE_VIEW),
        ("Quiz", "Quiz attempt submitted", "Tentative de test envoyée", Kind.PROBLEM_CHECK),
        ("Forum", "Course module viewed", "Module de cours consulté", Kind.FORUM_VIEW),
        ("Forum", "Discussion viewed", "Discussion consultée", Kind.FORUM_VIEW),
        ("Forum", "Discussion created", "Discussion créée", Kind.FORUM_POST),
        ("Forum", "Post created", "Message créé", Kind.FORUM_POST),
        ("Kaltura Video Resource", "Course module viewed", "Module de cours consulté", Kind.VIDEO_LOAD),
    ],
)
def test_events_become_kinds_in_english_and_french(
    log: Path, component: str, english: str, french: str, kind: Kind
) -> None:
    for header, event in ((ENGLISH, english), (FRENCH, french)):
        assert only(log, row(component=component, event=event), header)["kind"] == kind


def test_an_activity_that_may_be_anything_is_a_video_if_its_name_says_so(log: Path) -> None:
    assert only(log, row(component="H5P", context="H5P: Vidéo 3, filtering"))["kind"] == Kind.VIDEO_LOAD
    assert only(log, row(component="H5P", context="H5P: Drag the words"))["kind"] == Kind.PAGE_VIEW


@pytest.mark.parametrize(
    "description",
    [
        "The user with id '12' viewed the course with id '5'.",
        "The user with the id '12' has created the post with the id '3' in the forum.",
        "L'utilisateur d'identifiant « 12 » a consulté le cours.",
        "L’utilisateur avec l’id '12' a consulté le cours.",
        "The user with id '12' has viewed the attempt with id '3' belonging to the user with id '99'.",
    ],
)
def test_the_student_is_the_first_user_of_the_description(log: Path, description: str) -> None:
    event = only(log, row(description=description))
    assert (event["student"], event["object"]) == ("12", "Page: FAQ")


def test_a_student_without_an_id_has_a_pseudonym(log: Path) -> None:
    batch = read(log, *(row(name=name, description="") for name in ("Ada Lovelace", "ADA  LOVELACE", "Bob")))
    first, again, other = batch.events["student"]
    assert first == again != other
    assert first.startswith("name-")
    assert "Ada" not in str(batch)


def test_an_attempt_is_about_its_quiz_and_has_no_value(log: Path) -> None:
    event = only(log, row(event="Quiz attempt submitted", component="Quiz", description=SUBMITTED))
    assert (event["object"], event["value"]) == ("9", None)


def test_clicks_of_nobody_are_counted_apart(log: Path) -> None:
    guest = row(name="-", description="The user with id '0' viewed the course with id '5'.")
    staff = row(name="Ed Staff as Ada Lovelace")
    formateur = row(name="Ed Staff en tant que Ada Lovelace")
    batch = read(log, guest, staff, formateur, row(name="Thomas Asensio"))
    assert (batch.nobody, batch.events.height, batch.problems.height) == (3, 1, 0)
    assert read(log, row(event="Post created", component="Forum", name="-", description="")).problems.rows() == [
        (2, "has no user")
    ]


def test_unknown_kinds_are_counted_by_component_and_event(log: Path) -> None:
    batch = read(log, row(event="User logged in", component="System"), row(event="xAPI statement received"), row())
    assert batch.unknown == {"System: User logged in": 1, "Page: xAPI statement received": 1}
    assert (batch.rows, batch.events.height) == (3, 1)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_columns_are_found_in_any_order_between_any_separators(log: Path, separator: str) -> None:
    header = separator.join(['"Event name"', "IP address", "Component", "Event context", "Description", "Time"])
    said = '"The user with id \'12\' said ""hi"", and left"'
    line = separator.join(["Course viewed", "10.0.0.1", "System", '"Course: A; B, C"', said, "14.09.2026 12:00"])
    event = only(log, line, header)
    assert (event["student"], event["object"]) == ("12", "Course: A; B, C")


def test_a_wrong_header_names_what_is_missing_and_what_was_found(log: Path) -> None:
    write(log, ["Time,User full name,Component,Grade", "x,y,z,1"])
    with pytest.raises(EventsError, match=r"logs\.csv:1: .* lacks Event context, Event name, Description; ") as caught:
        list(batches(log))
    assert "it has Time, User full name, Component, Grade" in str(caught.value)
    write(log, ["Time,Event context,Component,Event name", row()])
    with pytest.raises(EventsError, match="lacks User full name, Description;"):
        list(batches(log))
    write(log, ['{"event_type": "play_video"}'])
    with pytest.raises(EventsError, match="not the header of a Moodle log"):
        list(batches(log))
    log.write_bytes("Heure,Événement".encode("latin-1"))
    with pytest.raises(EventsError, match="header is not UTF-8"):
        list(batches(log))


def test_a_header_with_nothing_below_is_empty(log: Path) -> None:
    write(log, [ENGLISH, "", ENGLISH])
    with pytest.raises(EventsError, match="empty below its header"):
        list(batches(log))


def test_malformed_records_keep_their_numbers_and_spoil_no_other(log: Path) -> None:
    short, long = ",".join(row().split(",")[:5]), row() + ",more"
    late = row(time="14/09/26")
    lines = [row(), short, row(), long, row(), 'torn "record', row(), late, row(context="", description="")]
    found = list(batches(write(log, [ENGLISH, *lines])))
    assert [problem for batch in found for problem in batch.problems.rows()] == [
        (3, "does not have the columns of the header"),
        (5, "does not have the columns of the header"),
        (7, "does not have the columns of the header"),
        (9, "has no time that can be read"),
        (10, "does not say of what: no event context"),
    ]
    assert sum(batch.events.height for batch in found) == 4
    assert sum(batch.rows for batch in found) == 9


@pytest.mark.parametrize("size", [10_000, 400, 250])
def test_a_record_over_several_lines_is_one_wherever_the_blocks_are_cut(log: Path, size: int) -> None:
    broken = row(description="The user with id '13' wrote:\n\n\"a, b\"\nand left.")
    write(log, [ENGLISH, row(), broken, row(), "torn", row(), broken, row(), row(), broken])
    found = list(batches(log, size))
    students = [student for batch in found for student in batch.events["student"]]
    lines = [line for batch in found for line in batch.problems["line"]]
    assert sorted(students) == ["12"] * 5 + ["13"] * 3
    assert lines == [8]
    assert sum(batch.rows for batch in found) == 9


def test_a_quotation_mark_that_is_never_closed_is_not_let_swallow_the_file(log: Path) -> None:
    plain_row = row().replace('"', "")
    write(log, [ENGLISH, *[plain_row] * 30, '"never closed', *[plain_row] * 30])
    with pytest.raises(EventsError, match=r"logs\.csv:32: a quotation mark that is opened here does not end"):
        list(batches(log))


def test_dates_with_the_month_first_stop_the_reading(log: Path) -> None:
    with pytest.raises(EventsError, match=r"logs\.csv:3: the date '9/27/26, 12:00:00' has its month first"):
        read(log, row(time="9/10/26, 12:00:00"), row(time="9/27/26, 12:00:00"))


def test_local_times_at_the_turns_of_summer_time_are_counted(log: Path) -> None:
    batch = read(log, row(time="25/10/26, 02:30"), row(time="29/03/26, 02:30"), row(time="29/03/26, 12:30"))
    assert batch.events.height == 3


def test_neither_address_nor_name_nor_origin_is_kept(log: Path) -> None:
    columns = pl.concat([batch.events for batch in batches(write(log, [ENGLISH, row()]))])
    kept = str(columns.rows())
    assert all(word not in kept for word in ("172.18.0.1", "Ada", "web"))

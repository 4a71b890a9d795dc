"""A line of an edX log becomes the event it records, is counted as unknown, or is reported."""

import json
import random
from typing import Any

import polars as pl
import pytest

from data.events.edx import OTHER_REQUEST, read_batch
from data.events.schema import SCHEMA, EventBatch, Kind
from tests.data.events.written_logs import check, edx

COURSE = "/courses/course-v1:EPFL+DSP+2026"


def read(*lines: str) -> EventBatch:
    return read_batch(pl.DataFrame({"line": range(1, len(lines) + 1), "text": lines}))


def only(*lines: str) -> dict[str, Any]:
    batch = read(*lines)
    assert batch.problems.is_empty(), batch.problems
    assert batch.events.height == 1
    return batch.events.row(0, named=True)


def reason(line: str) -> str:
    batch = read(edx(), line, edx())
    assert batch.events.height == 2, "the lines around a bad one are read"
    assert batch.problems["line"].to_list() == [2]
    return str(batch.problems["reason"][0])


def test_a_click_has_its_student_time_kind_and_object() -> None:
    event = only(edx("play_video", {"id": "v1", "currentTime": 12.5}))
    assert event["student"] == "7"
    assert event["time"].isoformat() == "2026-09-14T10:00:00.250000+00:00"
    assert (event["kind"], event["object"], event["value"]) == (Kind.VIDEO_PLAY, "v1", None)
    assert read(edx()).events.schema == SCHEMA


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("load_video", Kind.VIDEO_LOAD),
        ("pause_video", Kind.VIDEO_PAUSE),
        ("stop_video", Kind.VIDEO_STOP),
        ("edx.video.played", Kind.VIDEO_PLAY),
        ("edx.forum.thread.created", Kind.FORUM_POST),
        ("edx.forum.comment.created", Kind.FORUM_POST),
        ("edx.forum.thread.viewed", Kind.FORUM_VIEW),
        ("edx.forum.searched", Kind.FORUM_VIEW),
        ("seq_next", Kind.PAGE_VIEW),
        ("edx.ui.lms.outline.selected", Kind.PAGE_VIEW),
        (f"{COURSE}/courseware/week1/lesson2/", Kind.PAGE_VIEW),
        (f"{COURSE}/progress", Kind.PAGE_VIEW),
    ],
)
def test_event_types_become_kinds(name: str, kind: Kind) -> None:
    assert only(edx(name))["kind"] == kind


def test_the_name_counts_where_the_event_type_is_strange() -> None:
    assert only(edx("something.mobile", name="edx.video.paused"))["kind"] == Kind.VIDEO_PAUSE


@pytest.mark.parametrize("as_text", [True, False])
def test_a_seek_is_worth_the_seconds_jumped_whether_the_payload_is_text_or_object(as_text: bool) -> None:
    back = {"id": "v1", "old_time": 100.5, "new_time": "60"}
    assert only(edx("seek_video", back, as_text))["value"] == -40.5
    assert only(edx("seek_video", {"id": "v1", "new_time": 60}, as_text))["value"] is None


def test_a_change_of_speed_is_worth_the_new_speed() -> None:
    assert only(edx("speed_change_video", {"id": "v1", "old_speed": "1.0", "new_speed": "1.50"}))["value"] == 1.5
    assert "no new_speed above 0" in reason(edx("speed_change_video", {"id": "v1"}))


def test_a_checked_problem_is_worth_its_share_of_full_marks() -> None:
    event = only(check(grade=1.5, most=2))
    assert (event["kind"], event["object"], event["value"]) == (Kind.PROBLEM_CHECK, "p1", 0.75)
    assert only(check(grade=0, most=0))["value"] is None
    old = {"problem_id": "i4x://Med/HRP/problem/p9", "success": "correct"}
    event = only(edx("save_problem_check", old, as_text=False, event_source="server"))
    assert (event["object"], event["value"]) == ("p9", 1.0)


@pytest.mark.parametrize(("success", "value"), [("correct", 1.0), ("incorrect", 0.0), ("", None), (None, None)])
def test_without_marks_a_right_answer_counts_all_and_a_wrong_one_nothing(success: Any, value: float | None) -> None:
    told = {"problem_id": "p1", "success": success}
    assert only(edx("problem_check", told, event_source="server"))["value"] == value
    graded = {**told, "grade": 1, "max_grade": 4}
    assert only(edx("problem_check", graded, event_source="server"))["value"] == 0.25, "marks say more"


def test_a_check_that_the_browser_announces_is_not_counted_a_second_time() -> None:
    batch = read(check(), edx("problem_check", "input_p1_2_1=choice_1"))
    assert batch.events.height == 1
    assert batch.unknown == {"problem_check": 1}


@pytest.mark.parametrize(
    "spelling",
    ["abc", "i4x-Med-HRP258-video-abc", "i4x://Med/HRP258/video/abc", "block-v1:E+D+1+type@video+block@abc"],
)
def test_a_video_has_one_id_however_its_address_is_spelt(spelling: str) -> None:
    assert only(edx(event={"id": spelling}))["object"] == "abc"
    assert only(edx(event={"module_id": spelling}))["object"] == "abc"


def test_a_forum_event_is_about_its_thread_and_a_page_about_its_path() -> None:
    answer = {"id": "r1", "discussion": {"id": "t1"}}
    assert only(edx("edx.forum.response.created", answer))["object"] == "t1"
    assert only(edx("edx.forum.thread.viewed", {"id": "t2"}))["object"] == "t2"
    assert only(edx(f"{COURSE}/courseware/w1/?next=1"))["object"] == f"{COURSE}/courseware/w1"
    page = edx("edx.ui.lms.link_clicked", {}, page=f"https://campus.ch{COURSE}/home?token=1")
    assert only(page)["object"] == f"{COURSE}/home"


def test_the_user_is_the_id_or_else_the_name() -> None:
    assert only(edx(context={"user_id": "19"}))["student"] == "19"
    assert only(edx(context={"user_id": ""}))["student"] == "ada"
    assert only(edx(context={}))["student"] == "ada"
    assert only(edx(context="none"))["student"] == "ada"


def test_a_click_without_a_user_is_malformed_but_a_page_opened_without_login_is_nobodys() -> None:
    assert reason(edx(context={"user_id": None}, username=" ")) == "has no user"
    batch = read(edx(f"{COURSE}/about", context={"user_id": ""}, username=""))
    assert (batch.nobody, batch.problems.height, batch.events.height) == (1, 0, 0)


@pytest.mark.parametrize(
    ("time", "utc"),
    [
        ("2026-09-14T12:00:00+02:00", "2026-09-14T10:00:00+00:00"),
        ("2026-09-14T10:00:00Z", "2026-09-14T10:00:00+00:00"),
        ("2026-09-14 10:00:00.5+00:00", "2026-09-14T10:00:00.500000+00:00"),
        ("2026-09-14T10:00:00.123456", "2026-09-14T10:00:00.123456+00:00"),
    ],
)
def test_times_are_read_with_their_offset_and_are_utc_without_one(time: str, utc: str) -> None:
    assert only(edx(time=time))["time"].isoformat() == utc


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"event_type": "play_video", "ti', "cut short"),
        ("2026-09-14 10:00:00 GET /", "is not a JSON object"),
        ('{"event_type" "play_video"}', "is not JSON: Expecting ':' delimiter at column 15"),
        ('{"event_type": "play_video"} {"event_type": "x"}', "is not JSON: Extra data"),
        ('{"event_type": "play_video", "n": NaN}', "NaN"),
        ('{"time": "2026-09-14T10:00:00Z"}', "has no event_type"),
        (edx(time="yesterday"), "has no time that can be read"),
        (edx(time=None), "has no time that can be read"),
        (edx(time="0226-09-14T10:00:00Z"), "bears the year 226"),
        (edx(event="not JSON", as_text=False), "its event is not a JSON object"),
        (edx(event='{"id": ', as_text=False), "its event is cut short"),
        (edx(event=None, as_text=False).replace('{"id": "v1"}', "null"), "its event is absent"),
        (edx(event={"code": "x"}), "play_video does not say of what"),
        (edx(event={}, event_type=None, name="edx.video.played"), "edx.video.played does not say of what"),
        (check(grade=3, most=2), "its grade, 3, is not from 0 to its maximum, 2"),
        (check(grade=-1, most=2), "its grade, -1, is not from 0 to its maximum, 2"),
    ],
)
def test_a_malformed_line_says_why(line: str, said: str) -> None:
    assert said in reason(line)


def test_a_line_that_is_not_utf8_is_malformed() -> None:
    batch = read_batch(pl.DataFrame({"line": [4, 5], "text": [None, edx()]}))
    assert batch.problems.rows() == [(4, "is not UTF-8 text")]
    assert batch.events.height == 1


def test_unknown_kinds_are_counted_by_name_and_addresses_together() -> None:
    odd = edx("page_close", {"id": 3}), edx("page_close", "x"), edx("edx.bookmark.added", event=[1], as_text=False)
    requests = [edx(f"{COURSE}/xblock/b{n}/handler/xmodule_handler/problem_get", {"POST": {}}) for n in range(3)]
    batch = read(*odd, *requests, edx("/heartbeat"))
    assert batch.unknown == {"page_close": 2, "edx.bookmark.added": 1, OTHER_REQUEST: 4}
    assert (batch.events.height, batch.problems.height) == (0, 0)


def test_many_bad_lines_keep_their_numbers_and_spoil_no_other() -> None:
    lines = [edx(event={"id": f"v{n}"}) if n % 7 else '{"event_type" 1}' for n in range(1000)]
    batch = read(*lines)
    assert batch.problems["line"].to_list() == [n + 1 for n in range(1000) if not n % 7]
    assert batch.events["object"].to_list() == [f"v{n}" for n in range(1000) if n % 7]
    assert batch.rows == 1000


def test_damaged_lines_are_told_from_whole_ones_as_json_tells_them() -> None:
    draw = random.Random(3)
    whole = [edx(), check(), edx("seek_video", {"id": "v"}), edx("page_close"), edx(f"{COURSE}/info", {"POST": {}})]
    lines = []
    for _ in range(500):
        line = draw.choice(whole)
        at = draw.randrange(len(line))
        lines.append(line[:at] + draw.choice(["", *'{}[]",:\\9.é']) + line[at + 1 :])
    batch = read(*lines)
    refused = {line for line, said in batch.problems.iter_rows() if said.startswith(("is not", "is cut"))}
    assert refused == {number for number, line in enumerate(lines, start=1) if not is_json_object(line)}
    assert batch.rows == 500 == batch.events.height + batch.problems.height + sum(batch.unknown.values())


def is_json_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def test_line_breaks_within_a_payload_do_not_shift_the_others() -> None:
    broken = edx(event='{"id":\n "v1",\n "old_time": 1}', as_text=False)
    assert read(broken, edx(event={"id": "v2"})).events["object"].to_list() == ["v1", "v2"]


def test_nothing_of_address_or_browser_is_kept() -> None:
    kept = str(read(edx(), check()).events.rows())
    assert "10.1.2.3" not in kept
    assert "Mozilla" not in kept

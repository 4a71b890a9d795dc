"""Pictures as files, and the canvas they are drawn on."""

import hashlib
import threading
from pathlib import Path

import matplotlib
import pytest

from data.pictures.canvas import Canvas, PictureError, drawing_style, render_picture, save_picture
from data.pictures.importance import draw_importance_map
from data.pictures.topics import draw_topic_map
from tests.tools.small_course import course_with, student


def drawn() -> Canvas:
    with drawing_style():
        canvas = Canvas(3.0, 1.0, "Notes", "by hand")
        canvas.text(0.2, 0.5, "Éléments $x$ ▲")
        canvas.box(0.1, 0.1, 1.0, 0.3, "#eeeeee")
    return canvas


@pytest.mark.parametrize(("ending", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".PDF", b"%PDF")])
def test_the_ending_decides_the_kind(tmp_path: Path, ending: str, begins: bytes) -> None:
    path = tmp_path / f"map{ending}"
    save_picture(drawn().figure, path)
    assert path.read_bytes().startswith(begins)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_same_picture_has_the_same_bytes_and_no_date(kind: str) -> None:
    course = course_with(student())
    one, other = (render_picture(draw_topic_map(course, week=4), kind) for _ in range(2))
    assert hashlib.sha256(one).digest() == hashlib.sha256(other).digest()
    assert b"date>" not in one
    assert b"CreationDate" not in one


@pytest.mark.parametrize("name", ["map.jpg", "map", "map.svg.gz"])
def test_another_ending_is_refused_with_the_valid_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(PictureError, match=r"use .png, .svg or .pdf"):
        save_picture(drawn().figure, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="cannot be written: No such file"):
        save_picture(drawn().figure, tmp_path / "nowhere" / "map.png")
    (tmp_path / "map.png").mkdir()
    with pytest.raises(PictureError, match="cannot be written"):
        save_picture(drawn().figure, tmp_path / "map.png")
    assert [each.name for each in tmp_path.iterdir()] == ["map.png"]


def test_drawing_leaves_the_settings_of_others_alone() -> None:
    before = dict(matplotlib.rcParams)
    render_picture(drawn().figure, "svg")
    assert dict(matplotlib.rcParams) == before


def test_threads_that_draw_at_once_get_the_same_pictures() -> None:
    asking = student("s1", {("NumberOfSessions", 2): 3.0})
    course = course_with(asking)
    alone = render_picture(draw_importance_map(course, asking), "svg")
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(render_picture(draw_importance_map(course, asking), "svg")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4

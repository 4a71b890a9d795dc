"""The clicks of somebody who watches a video."""

from data.cohort.chance import poisson
from data.cohort.material import Piece
from data.cohort.sitting import Sitting
from data.events.schema import Kind

LEFT_OVER = 75.0
"""Seconds that remain at the least when a video is left before its end, unless it is not much longer than that."""


def watch(at: Sitting, video: Piece, share: float = 1.0) -> None:
    """Watch a video from its beginning, up to a share of it: pauses, jumps, and the end."""
    at.click(Kind.VIDEO_LOAD, video.id)
    at.linger(3.0, 0.5, 30.0)
    _choose_speed(at, video)
    at.click(Kind.VIDEO_PLAY, video.id)
    end = video.length if share >= 1.0 else max(0.1 * video.length, min(video.length - LEFT_OVER, video.length * share))
    position = 0.0
    for stop in _breaks(at, end):
        if position + 5.0 < stop < end:
            at.wait((stop - position) / at.rate)
            position = _break(at, video, stop, end)
    at.wait((end - position) / at.rate)
    if share < 1.0 or at.draw.random() < 0.8:
        left_by_pause = share < 1.0 and at.draw.random() < 0.6
        at.click(Kind.VIDEO_PAUSE if left_by_pause else Kind.VIDEO_STOP, video.id)
    at.linger(6.0)


def _choose_speed(at: Sitting, video: Piece) -> None:
    """The player keeps a speed until it is changed; now and then somebody tries another one."""
    draw, wanted = at.draw, at.style.speed
    if draw.random() < 0.04:
        wanted = 1.0 if at.rate > 1.0 else 1.25
    elif draw.random() < 0.2:
        wanted = at.rate
    if wanted != at.rate:
        at.click(Kind.VIDEO_SPEED, video.id, wanted)
        at.linger(3.0, 0.5, 20.0)
        at.rate = wanted


def _breaks(at: Sitting, end: float) -> list[float]:
    """Positions, in seconds of video, at which something is clicked."""
    often = (at.style.pauses + at.style.jumps) * end / 600.0
    return sorted(at.draw.uniform(10.0, max(20.0, end - 10.0)) for _ in range(poisson(at.draw, often)))


def _break(at: Sitting, video: Piece, position: float, end: float) -> float:
    """A pause or a jump at a position within the video; the position from which it goes on."""
    draw, style = at.draw, at.style
    if draw.random() < style.jumps / (style.pauses + style.jumps):
        return _jump(at, video, position, end)
    at.click(Kind.VIDEO_PAUSE, video.id)
    at.linger(18.0, 0.9, 240.0)
    if draw.random() < 0.4:
        at.click(Kind.PAGE_VIEW, f"slides-{video.week}")
        at.linger(20.0, 0.8, 200.0)
    if draw.random() < 0.15:  # lost the thread
        position = _jump(at, video, position, end)
        at.wait(1.5)
    at.click(Kind.VIDEO_PLAY, video.id)
    return position


def _jump(at: Sitting, video: Piece, position: float, end: float) -> float:
    draw = at.draw
    length = draw.lognormvariate(3.2, 0.6)
    back = draw.random() < at.style.back
    there = max(0.0, position - length) if back else max(position, min(end - 2.0, position + length))
    if abs(there - position) < 1.0:
        return position
    at.click(Kind.VIDEO_SEEK, video.id, round(there - position, 1))
    return there

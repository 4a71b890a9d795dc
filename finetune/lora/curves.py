"""The loss curve as a table and as a picture."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np

from finetune.lora.loop import Point

CSV, PNG = "curve.csv", "curve.png"
SMOOTHED = 0.9
"""How much of the smoothed line's last value its next one keeps."""


def write(folder: Path, points: Sequence[Point], title: str) -> None:
    """Write curve.csv and curve.png into the folder."""
    with (folder / CSV).open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, [field.name for field in fields(Point)])
        rows.writeheader()
        rows.writerows(asdict(point) for point in points)
    draw(folder / PNG, points, title)


def draw(path: Path, points: Sequence[Point], title: str) -> None:
    """The loss of each step, a smoothed line through it, and the watched rows' loss."""
    from matplotlib.figure import Figure  # half a second, which only this needs

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    places, losses = [point.step for point in points], [point.loss for point in points]
    axes.plot(places, losses, color="#9db8d2", linewidth=0.8, label="of the step's rows")
    axes.plot(places, smoothed(losses), color="#1f4e79", label="smoothed")
    held = [(point.step, point.held) for point in points if point.held is not None]
    if held:
        axes.plot(*zip(*held, strict=True), "o-", color="#c55a11", markersize=4, label="of rows not learned")
    axes.set(xlabel="step", ylabel="loss per label (nats)", title=title, ylim=(0, None))
    axes.legend()
    figure.savefig(path, dpi=120, metadata={"Software": None})


def smoothed(losses: Sequence[float]) -> list[float]:
    """An exponential mean that does not lean towards zero at its beginning."""
    weights = SMOOTHED ** np.arange(len(losses))
    return [float(np.average(losses[: n + 1][::-1], weights=weights[: n + 1])) for n in range(len(losses))]

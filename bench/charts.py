"""Charts of the bench as SVG files (needs matplotlib)."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Points = Sequence[tuple[float, float]]


def lines(
    file: Path,
    series: Mapping[str, Points],
    x: str,
    y: str,
    *,
    logarithmic: bool = False,
    steps: bool = False,
) -> None:
    """Values over numbers; `logarithmic` on both axes."""
    figure, axes = _axes()
    for name, points in series.items():
        ordered = sorted(points)
        axes.plot(
            [place for place, _value in ordered],
            [value for _place, value in ordered],
            marker="" if steps else "o",
            markersize=3,
            drawstyle="steps-post" if steps else "default",
            label=name,
        )
    if logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    if len(series) > 1:
        axes.legend(fontsize=7, ncols=2 if len(series) > 6 else 1)
    _write(figure, file)


def bars(file: Path, values: Mapping[str, Mapping[str, float]], y: str) -> None:
    """For each label a bar for each series."""
    figure, axes = _axes()
    names = list(dict.fromkeys(name for some in values.values() for name in some))
    width = 0.8 / max(1, len(names))
    for place, name in enumerate(names):
        heights = [some.get(name, 0.0) for some in values.values()]
        axes.bar([number + place * width for number in range(len(values))], heights, width, label=name)
    middle = 0.4 - width / 2
    axes.set_xticks([number + middle for number in range(len(values))], list(values), rotation=30, ha="right")
    axes.set_ylabel(y)
    axes.grid(axis="y", alpha=0.3)
    if len(names) > 1:
        axes.legend(fontsize=8)
    _write(figure, file)


def boxes(file: Path, samples: Mapping[str, Sequence[float]], y: str) -> None:
    """The spread of samples."""
    figure, axes = _axes()
    axes.boxplot(list(samples.values()))
    axes.set_xticks(range(1, len(samples) + 1), list(samples), rotation=30, ha="right")
    axes.set_ylabel(y)
    axes.grid(axis="y", alpha=0.3)
    _write(figure, file)


def ranks(file: Path, means: Mapping[str, float], difference: float) -> None:
    """Mean ranks, the best on top, each with the bar within which another does not differ from it."""
    figure, axes = _axes()
    ordered = sorted(means.items(), key=lambda row: -row[1])
    for place, (_name, mean) in enumerate(ordered):
        axes.plot([mean - difference / 2, mean + difference / 2], [place, place], color="0.6", linewidth=2)
        axes.plot([mean], [place], "o", color="C0")
    axes.set_yticks(range(len(ordered)), [name for name, _mean in ordered])
    axes.set_xlabel("mean rank (1 is best); bars that do not overlap differ at 5 %")
    axes.grid(axis="x", alpha=0.3)
    _write(figure, file)


def _axes() -> tuple[Any, Any]:
    try:
        matplotlib: Any = importlib.import_module("matplotlib")
    except ImportError:
        raise SystemExit("matplotlib is needed for charts; run: pip install 'falsum[bench]'") from None
    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "falsum", "font.size": 9}
    pyplot = importlib.import_module("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(6.4, 3.4), layout="constrained")
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _write(figure: Any, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, metadata={"Date": None})
    importlib.import_module("matplotlib.pyplot").close(figure)

"""The paper's Fig. 5: mean ratings by criterion and model."""

from data.pictures.canvas import INK, SOFT, drawing_style
from eval.report.charts import GROUP, HIGH, WIDE, Chart, add_legend, choose_look, finish_chart, make_label, start_figure
from eval.report.shares import to_words
from eval.study.analysis import describe_group
from eval.study.files import StudyData


def draw_ratings(data: StudyData) -> Chart:
    """Draw the mean rating of each model by each criterion with 95 % intervals, on the scale from 1 to 5."""
    width = GROUP / len(data.models)
    groups = {criterion: [describe_group(each) for each in data.values(criterion)] for criterion in data.criteria}
    with drawing_style():
        figure, axes = start_figure(WIDE, HIGH)
        for place, model in enumerate(data.models):
            found = [means[place] for means in groups.values()]
            at = [number - GROUP / 2 + (place + 0.5) * width for number in range(len(found))]
            # Bars begin at 1, the lowest rating there is: from 0 differences would look smaller than they are.
            heights = [each.mean - 1 for each in found]
            axes.bar(at, heights, width * 0.94, bottom=1, label=make_label(model), **choose_look(place))
            halves = [each.mean - each.interval.low if each.n > 1 else 0.0 for each in found]
            axes.errorbar(
                at, [each.mean for each in found], halves, fmt="none", ecolor=INK, elinewidth=1.1, capsize=2.5
            )
            for x, each, half in zip(at, found, halves, strict=True):
                axes.text(x, each.mean + half + 0.04, f"{each.mean:.2f}", ha="center", fontsize=7, color=INK)
        axes.set_xticks(range(len(groups)), [make_label(to_words(name).capitalize()) for name in groups])
        axes.set_ylim(1, 5.25)
        axes.set_yticks(range(1, 6))
        axes.set_ylabel("mean rating, 1 to 5", color=SOFT)
        add_legend(axes, len(data.models))
        listed = (
            f"{to_words(name)}, {model}: {each.mean:.2f}"
            for name, means in groups.items()
            for model, each in zip(data.models, means, strict=True)
        )
        title = f"Mean ratings by {len(data.participants)} participants"
        return finish_chart("ratings", title, f"Mean ratings from 1 to 5. {'; '.join(listed)}.", figure)

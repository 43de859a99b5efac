"""From facts and runs to the numbers that are judged and told."""

import statistics

from ..results.statistics import ENOUGH, ratio_of_medians
from .measuring import fault_seconds
from .runs import PLAIN
from .verdict import Evidence, figures_of


# So many CPUs, free of other programs, show what a memory thread brings.
ENOUGH_CPUS = 1.5


def of_obstacle(facts):
    return Evidence(obstacle=facts.obstacle.reason)


def median_of(measured, mode, metric):
    return statistics.median(measured.series[mode][metric].values())


def of_runs(facts, measured):
    plain = {name: median_of(measured, PLAIN, name) for name in measured.series[PLAIN]}
    cpu = plain["cpu"]
    calls = measured.calls
    return Evidence(
        wall=plain["wall"],
        cpu=cpu,
        busy=max(_share(*pair) for pair in _pairs(measured)),
        malloc_share=_share(calls.seconds, cpu) if calls else None,
        fault_share=_share(fault_seconds(plain, facts), cpu),
        allocations=calls.allocations if calls else None,
        modes={
            name: _figures(measured, name) for name in measured.series if name != PLAIN
        },
        problems=dict(measured.problems),
        is_crowded=measured.others > 0 and facts.cpus - measured.others < ENOUGH_CPUS,
    )


def _pairs(measured):
    series = measured.series[PLAIN]
    return zip(series["cpu"].values(), series["wall"].values(), strict=True)


def _share(seconds, whole):
    return min(seconds / whole, 1.0) if whole > 0 else 0.0


def _figures(measured, mode):
    series, plain = measured.series[mode], measured.series[PLAIN]
    # Paired by rounds: what disturbs a round disturbs both of its runs.
    speed = ratio_of_medians(plain["wall"], series["wall"])
    ratios = {
        name: median_of(measured, mode, name) / max(median_of(measured, PLAIN, name), 1e-9)
        for name in ("cpu", "peak_rss")
    }
    return figures_of(speed, ratios["cpu"], ratios["peak_rss"], speed.samples >= ENOUGH)

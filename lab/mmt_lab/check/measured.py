"""What the runs of a check have shown."""

import dataclasses

METRICS = ("wall", "cpu", "system", "peak_rss", "minor_faults")


@dataclasses.dataclass(frozen=True)
class Calls:
    """Calls of malloc and free, in one run."""

    allocations: int
    calls: int  # frees too
    # This leaves out what timing the calls took. It includes their page faults, and what the calls would
    # have done at the same time as what follows them. So it is an upper bound.
    seconds: float
    threads: int  # that made some
    processes: int


@dataclasses.dataclass
class Measured:
    series: dict = dataclasses.field(default_factory=dict)  # mode -> metric -> {round: value}
    problems: dict = dataclasses.field(default_factory=dict)  # mode -> why it could not run
    calls: Calls | None = None
    remarks: list = dataclasses.field(default_factory=list)
    others: float = 0.0  # CPUs that other programs used meanwhile; 0: too little to disturb

    def add(self, mode, index, answer):
        metrics = self.series.setdefault(mode, {name: {} for name in METRICS})
        for name in METRICS:
            metrics[name][index] = float(answer[name])

    def rounds(self, mode):
        return len(self.series[mode]["wall"]) if mode in self.series else 0


def calls_of(answer):
    """None where the library was not loaded.

    A long call (over 10 us) counts for what the kernel can have done in it at most. For the rest of
    its time the thread was not running, or waited for another.
    """
    told = answer.get("calls")
    if told is None:
        return None
    values = {key: one["value"] for key, one in told["values"].items()}

    def both(key):
        return values.get(f"malloc_{key}", 0) + values.get(f"free_{key}", 0)

    count = both("calls")
    short = (both("call_total") - both("call_over10us")) * 1e-3
    long = min(both("call_over10us") * 1e-3, answer["system"])
    timing = count * told["empty_call_ns"] * 1e-9
    return Calls(
        int(values["malloc_calls"]),
        int(count),
        max(short - timing, 0.0) + long,
        told["threads"],
        told["processes"],
    )

"""Whether an application gains by a shift of its own. The shifts are chosen by the times of other allocators
than the one that is judged. The least of noisy times would else seem a gain."""

import math


def _total(times):
    """The product of several, as the sum of their logarithms."""
    return sum(map(math.log, times))


def _best(by_shift):
    """By which of these lists of times the product is the least."""
    return min(range(len(by_shift)), key=lambda at: _total(by_shift[at]))


def gain(judged, others):
    """By how many times applications are faster with shifts of their own than with one for all: their geometric
    mean. `judged`: [times by shift] of each application; `others`: [[times by shift] of each] of each allocator."""
    count = len(judged[0])
    of_all = [[times[at] for one in others for times in one] for at in range(count)]
    common = _best(of_all)
    logs = []
    for number, times in enumerate(judged):
        own = _best([[one[number][at] for one in others] for at in range(count)])
        logs.append(math.log(times[common] / times[own]))
    return math.exp(sum(logs) / len(logs))

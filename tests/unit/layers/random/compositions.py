"""Writes random legal compositions of heap layers as C++, for the conformance suite.

    compositions.py --seed 1 --count 200 --files 8 --into FOLDER

The same seed gives the same compositions. FOLDER gets random_compositions_0.cpp and so on, each
with its share. What differs from composition to composition is compiled thinly there, while the
checks are compiled once.
"""

import argparse
import pathlib
import random
import textwrap

import layer_table

MOST_LAYERS = 6
# Less often, as they change little.
WATCHING = {"statistics", "profile", "trace", "fail", "locked", "throw"}
HEAD = """\
// {count} random compositions of heap layers (seed {seed}), written by compositions.py.
{includes}

#include "unit/layers/conformance/counting_sources.h"
#include "unit/layers/conformance/watching.h"
#include "unit/layers/random/random_compositions.h"

namespace mmt::layers::conformance {{

void add_random_{index}(Compositions& all) {{
"""
TAIL = """\
}

}  // namespace mmt::layers::conformance
"""
ALWAYS = ("mmt/layers/general/hoard_heap.h", "mmt/layers/general/kingsley_coalescing_heap.h",
          "mmt/layers/general/kingsley_heap.h", "mmt/layers/general/lea_heap.h",
          "mmt/layers/general/phk_heap.h", "mmt/layers/pipe.h",
          "mmt/layers/source/buffer_heap.h", "mmt/layers/source/mapped_heap.h",
          "mmt/layers/source/mmap_heap.h", "mmt/layers/source/sbrk_heap.h")  # fmt: skip


def compose(rng):
    """Returns (heap, the layers' headers)."""
    heap = rng.choice(list(layer_table.SOURCES.values()))
    headers = []
    for _ in range(rng.randrange(2, MOST_LAYERS + 1)):
        fitting = [layer for layer in layer_table.LAYERS if layer.may_stand_on(heap)]
        if not fitting or (heap.stages and heap.stages[-1] == "ThrowException"):
            break
        weights = [1 if layer.name in WATCHING else 3 for layer in fitting]
        layer = rng.choices(fitting, weights)[0]
        heap = layer.stage(rng, heap)
        headers += layer.headers
    return heap, headers


def compositions(seed, count):
    """`count` different ones."""
    rng = random.Random(seed)
    found = {}
    while len(found) < count:
        heap, headers = compose(rng)
        found.setdefault(heap.type(), (heap, headers))
    return list(found.values())


def source_file(index, seed, share, first):
    headers = sorted({*ALWAYS, *(header for _, used in share for header in used)})
    includes = "\n".join(f"#include <{header}>" for header in headers)
    text = HEAD.format(count=len(share), seed=seed, includes=includes, index=index)
    for number, (heap, _) in enumerate(share, first):
        lines = textwrap.wrap(heap.type(), 90, break_long_words=False)
        text += "  all.push_back(compose<" + "\n      ".join(lines) + ">(\n"
        text += f'      "Random{number:03}",\n      {heap.terms()}));\n'
    return text + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--into", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    all_of_them = compositions(options.seed, options.count)
    for index in range(options.files):
        first = index * len(all_of_them) // options.files
        behind = (index + 1) * len(all_of_them) // options.files
        text = source_file(index, options.seed, all_of_them[first:behind], first)
        path = options.into / f"random_compositions_{index}.cpp"
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Every heap layer is named by a composition of the conformance suite, or the suite does not test it.

A layer is a class of LAYERS whose name ends in Heap, or one of OTHERS. A composition names it by
that name, by that of its stage, or by that of its default (`using SbrkHeap = BasicSbrkHeap<>`). A
stage is `using Size = Stage<SizeHeap>`, or a class with a template Over that says which layer it
puts above, or that class with a default (`using PageRuns = BasicPageRuns<SystemPages>`).
"""

import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
SUITE = "tests/unit/layers/conformance"
LAYERS = "include/mmt/layers"
OTHERS = {"HeapResource", "std_allocator"}

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
INCLUDE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
DETAIL = re.compile(r"^namespace detail \{.*?^\}  // namespace detail", re.MULTILINE | re.DOTALL)
DEFINED = re.compile(r"\b(?:class|struct)\s+(\w+)(?:\s+final)?\s*(?:<[^;{]*>)?\s*[:{]")
ALIAS = re.compile(r"\busing\s+(\w+Heap)\s*=")
STAGE_ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*Stage<(\w+)>")
ALIAS_OF_DEFAULT = re.compile(r"\busing\s+(\w+Heap)\s*=\s*(\w+Heap)<>;")
STAGE_OF_DEFAULT = re.compile(r"\busing\s+(\w+)\s*=\s*(Basic\w+)<\w+>;")
STAGE_CLASS = re.compile(r"\bstruct\s+(\w+)\s*\{[^{}]*?\busing\s+Over\s*=\s*(?:typename\s+)?(\w+)<")


def code_of(path):
    text = DETAIL.sub(" ", path.read_text(encoding="utf-8"))
    return COMMENT.sub(" ", INCLUDE.sub(" ", text))


def layers_and_stages(root):
    """Returns ({layer: header}, {stage: layer})."""
    layers, stages = {}, {}
    for path in sorted((root / LAYERS).rglob("*.h")):
        code = code_of(path)
        for name in DEFINED.findall(code) + ALIAS.findall(code):
            if name.endswith("Heap") or name in OTHERS:
                layers.setdefault(name, path.relative_to(root).as_posix())
        for stage, layer in STAGE_ALIAS.findall(code) + STAGE_CLASS.findall(code) + ALIAS_OF_DEFAULT.findall(code):
            stages[stage] = layer
        for stage, general in STAGE_OF_DEFAULT.findall(code):
            stages.setdefault(stage, stages.get(general))
    return layers, stages


def unnamed(root):
    layers, stages = layers_and_stages(root)
    words = set()
    for path in sorted((root / SUITE).glob("compositions_*.cpp")):
        words |= set(re.findall(r"\w+", code_of(path)))
    named = words | {layer for stage, layer in stages.items() if stage in words}
    return [f"{header}: {layer}" for layer, header in layers.items() if layer not in named]


class LayersNamedTest(unittest.TestCase):
    def test_every_layer_of_the_project_is_named(self):
        layers, stages = layers_and_stages(ROOT)
        self.assertGreater(len(layers), 10)
        self.assertIn("FreelistHeap", layers)
        self.assertEqual(stages["Freelist"], "FreelistHeap")
        self.assertEqual(stages["StrictSeg"], "StrictSegHeap")
        self.assertEqual(unnamed(ROOT), [], "no composition of the conformance suite names these")

    def unnamed_in(self, header, composition):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {
                f"{LAYERS}/fit/some_heap.h": header,
                f"{SUITE}/compositions_fit.cpp": composition,
            }.items():
                (root / name).parent.mkdir(parents=True)
                (root / name).write_text(text, encoding="utf-8")
            return unnamed(root)

    def test_a_layer_without_composition_is_found(self):
        header = "template <class Super>\nclass SomeHeap : public Super {};\n"
        self.assertEqual(self.unnamed_in(header, ""), [f"{LAYERS}/fit/some_heap.h: SomeHeap"])
        commented = "// SomeHeap\n#include <mmt/layers/fit/SomeHeap>\n"
        self.assertEqual(len(self.unnamed_in(header, commented)), 1)

    def test_a_name_or_a_stage_will_do(self):
        header = "template <class Super>\nclass SomeHeap : public Super {};\n"
        self.assertEqual(self.unnamed_in(header, "SomeHeap<Source> heap;"), [])
        short = header + "using Some = Stage<SomeHeap>;\n"
        self.assertEqual(self.unnamed_in(short, "Pipe<Source, Some>"), [])
        long = header + (
            "template <size_t kMost>\nstruct Some {\n  template <class Super>\n"
            "  using Over = SomeHeap<Super>;\n};\n"
        )
        self.assertEqual(self.unnamed_in(long, "Pipe<Source, Some<3>>"), [])

    def test_what_is_no_layer_needs_no_name(self):
        header = "namespace detail {\nclass HiddenHeap {};\n}  // namespace detail\nclass Node {};\n"
        self.assertEqual(self.unnamed_in(header, ""), [])


if __name__ == "__main__":
    unittest.main()

"""What each heap layer requires of its super-heap, and what it makes of it.

A composition is a Heap: its C++ type, and what it offers (capabilities of heap.h). It has what the
conformance suite must know of it, too (Terms of subject.h). A Layer tells whether it may stand on a
heap, and what comes of it. The tables are kept apart from the layers on purpose: the suite compares
what a composition really offers with what is said here.
"""

import dataclasses
from collections.abc import Callable

GET_SIZE, FREE_SIZED, OWNS, EXPAND, GOOD_SIZE, CLEAR, ALLOCATE, REALLOC, CALLOC, REMAP = (
    1 << bit for bit in range(10)
)
NO_LIMIT = 1 << 20


@dataclasses.dataclass(frozen=True)
class Heap:
    """A composition. `source` is the C++ type of its first heap, `stages` those of the layers."""

    source: str
    stages: tuple = ()
    offers: int = 0
    # Where blocks lie.
    aligned: bool = True
    skewed: bool = False
    # How it may be used.
    one_size: bool = False
    front: bool = False  # realloc and calloc: nothing that must see all blocks stands above
    exact: bool = False  # get_size() tells what was asked for
    words: bool = False  # sizes and aligned blocks are those of a SizeHeap
    tagged: bool = False  # boundary tags
    has_tags_below: bool = False
    threads: bool = False
    # Terms
    full_early: bool = False
    fails: bool = False
    reuses: bool = True
    stack: bool = False
    releases: bool = False
    grown: bool = False  # side tables
    partial_clear: bool = False
    largest: int = NO_LIMIT

    def has(self, offer):
        return self.offers & offer != 0

    def type(self):
        if not self.stages:
            return self.source
        return f"Pipe<{', '.join([self.source, *self.stages])}>"

    def terms(self):
        fields = [
            ("is_full_early", self.full_early, False),
            ("fails_at_times", self.fails, False),
            ("reuses", self.reuses, True),
            ("is_stack", self.stack, False),
            ("releases_live", self.releases, False),
            ("is_for_threads", self.threads, False),
            ("clears_in_part", self.partial_clear, False),
            ("has_side_tables", self.grown, False),
            ("largest", self.largest, NO_LIMIT),
        ]
        said = [f".{name} = {str(value).lower()}" for name, value, usual in fields if value != usual]
        return "{" + ", ".join([*said, f".offers = {self.offers:#x}"]) + "}"


@dataclasses.dataclass(frozen=True)
class Layer:
    """`stage` takes a random generator and the heap below, and gives the C++ stage with its
    parameters, and the heap above."""

    name: str
    headers: tuple
    may_stand_on: Callable
    stage: Callable


def loses(heap):
    """What is freed to it is not used again."""
    return heap.full_early or not heap.reuses


# What get_size() tells may be anything above what was asked for.
UNSURE = {"exact": False}


def above(heap, stage, **changes):
    return dataclasses.replace(heap, stages=(*heap.stages, stage), **changes)


WHOLE = GET_SIZE | OWNS | EXPAND | GOOD_SIZE | CLEAR | ALLOCATE
SOURCES = {
    "PlainSource": Heap("PlainSource", threads=True),
    "SizedSource": Heap("SizedSource", offers=GET_SIZE | GOOD_SIZE | ALLOCATE, threads=True),
    "FullSource": Heap("FullSource", threads=True,
                       offers=GET_SIZE | FREE_SIZED | OWNS | GOOD_SIZE | CLEAR | ALLOCATE),
    "SkewedSource": Heap("SkewedSource", aligned=False, skewed=True),
    "ShyAlignedSource": Heap("ShyAlignedSource", aligned=False),
    "SbrkHeap": Heap("SbrkHeap", offers=OWNS, reuses=False, releases=True),
    "MmapHeap": Heap("MmapHeap", offers=GET_SIZE | GOOD_SIZE | ALLOCATE | REMAP, threads=True),
    "MappedHeap": Heap("MappedHeap", releases=True, grown=True,
                       offers=GET_SIZE | OWNS | GOOD_SIZE | CLEAR | ALLOCATE | REMAP),
    "Kingsley": Heap("KingsleyHeap<PlainSource>", words=True, releases=True,
                     offers=GET_SIZE | OWNS | EXPAND | GOOD_SIZE | CLEAR | ALLOCATE),
    "Lea": Heap("LeaHeap<PlainSource>", has_tags_below=True, grown=True,
                releases=True,
                offers=GET_SIZE | OWNS | EXPAND | GOOD_SIZE | CLEAR | ALLOCATE | REMAP),
    "KingsleyCoalescing": Heap("KingsleyCoalescingHeap<PlainSource>", has_tags_below=True,
                               releases=True, offers=WHOLE),
    "Hoard": Heap("HoardHeap<>", threads=True, releases=True, offers=WHOLE),
    "Phk": Heap("PhkHeap<>", releases=True, offers=WHOLE),
    "BufferHeap<300000>": Heap("BufferHeap<300000>", offers=OWNS | EXPAND | CLEAR, full_early=True,
                               reuses=False, releases=True, largest=200000),
}  # fmt: skip


def orders_do_not_matter(heap):
    """Not where to free a block ends younger ones, too."""
    return not heap.stack and not heap.front


# --- lists, chunks, headers ---


def freelist(rng, heap):
    offers = heap.offers & ~(ALLOCATE | FREE_SIZED | REMAP)
    kept = {"one_size": True, "threads": False, **UNSURE}
    bound = rng.choice((None, None, 1, 4, 100))
    stage = "Freelist" if bound is None else f"BoundedFreelist<{bound}>"
    reuses = heap.reuses or bound is None or bound >= 100
    return above(heap, stage, offers=offers, reuses=reuses, **kept)


def chunk(rng, heap):
    bytes_, skew = rng.choice((1, 1000, 4096, 65536)), rng.choice((0, 8))
    return above(heap, f"Chunk<{bytes_}, {skew}>", offers=OWNS | GOOD_SIZE | CLEAR, reuses=False,
                 partial_clear=loses(heap), skewed=skew == 8, aligned=skew == 0, releases=True,
                 **UNSURE, words=False, tagged=False, threads=False)  # fmt: skip


def size(_, heap):
    offers = (heap.offers & (OWNS | CLEAR)) | GET_SIZE | EXPAND | GOOD_SIZE
    offers |= 0 if heap.one_size else ALLOCATE
    return above(heap, "Size", offers=offers, aligned=True, skewed=False, exact=True, words=True,
                 tagged=False)  # fmt: skip


def adapt_list(_, heap):
    offers = heap.offers & ~(ALLOCATE | FREE_SIZED | REMAP)
    return above(heap, "Adapt<DlList>", offers=offers, one_size=True, reuses=True, threads=False,
                 **UNSURE)  # fmt: skip


def adapt_sizes(_, heap):
    offers = heap.offers & ~(ALLOCATE | FREE_SIZED | REMAP) | GOOD_SIZE
    return above(heap, "Adapt<SizeList>", offers=offers, reuses=True, threads=False, **UNSURE)


# --- segregated fits ---


def classes(rng):
    steps = [f"MultiplesOf<{rng.randrange(2, 30)}, {rng.choice((32, 64, 96))}>"]
    return rng.choice([*steps, f"PowersOfTwo<{rng.randrange(6, 20)}>"])


def bin_stage(rng, sizes):
    links = ["Adapt<DlList>"] if sizes.startswith("Multiples") else []  # 16 bytes of each block
    return rng.choice(["Freelist", "Freelist", "BoundedFreelist<3>", *links])


def strict_seg(rng, heap):
    offers = heap.offers & ~(FREE_SIZED | ALLOCATE | REMAP) | GOOD_SIZE
    offers |= ALLOCATE if heap.words else 0
    if heap.exact and not heap.reuses:
        sizes, bins = f"PowersOfTwo<{rng.randrange(10, 20)}>", "Freelist"
    else:
        sizes = classes(rng)
        bins = bin_stage(rng, sizes)
    return above(heap, f"StrictSeg<{sizes}, {bins}>", offers=offers, threads=False, tagged=False,
                 reuses=heap.reuses or heap.exact, **UNSURE)  # fmt: skip


def seg(rng, heap):
    offers = heap.offers & ~(FREE_SIZED | REMAP) | GOOD_SIZE
    kind = rng.choice(("DlList", "SizeList"))
    sizes = "LeaLargeSizes<64>" if kind == "SizeList" and rng.random() < 0.5 else None
    sizes = sizes or f"PowersOfTwo<{rng.randrange(10, 20)}>"
    return above(heap, f"Seg<{sizes}, Adapt<{kind}>>", offers=offers, threads=False, **UNSURE,
                 reuses=heap.reuses or sizes[0] == "P")  # fmt: skip


def round_up(rng, heap):
    sizes = rng.choice((f"MultiplesOf<{rng.randrange(2, 30)}, 48>", "PowersOfTwo<12>"))
    return above(heap, f"RoundUp<{sizes}>", offers=(heap.offers | GOOD_SIZE) & ~REMAP,
                 tagged=False, **UNSURE)  # fmt: skip


def threshold(rng, heap):
    sizes = f"TaggedSizes<{rng.randrange(2, 12)}>" if heap.tagged else classes(rng)
    offers = heap.offers & ~(FREE_SIZED | REMAP)
    return above(heap, f"Threshold<10000000, {sizes}, Freelist>", offers=offers, threads=False,
                 **(UNSURE if not heap.tagged else {}))  # fmt: skip


def hybrid(rng, heap):
    offers = heap.offers & ~(FREE_SIZED | REMAP) | GOOD_SIZE
    stage = f"Hybrid<{rng.choice((1, 64, 300, 5000))}, {rng.choice(('Freelist', 'BoundedFreelist<9>'))}>"
    return above(heap, stage, offers=offers, threads=False, tagged=False, **UNSURE)


# --- boundary tags ---


def coalescing(rng, heap):
    growth = rng.choice((1, 4096, 131072))
    if rng.random() < 0.5:
        bins = ("Seg<LeaLargeSizes<40>, Adapt<SizeList>>", "Seg<TaggedSizes<1>, Adapt<DlList>>")
    else:
        bins = ("Seg<LeaLargeSizes<1001>, Adapt<SizeList>>", "Seg<TaggedSizes<62>, Adapt<DlList>>")
    unsorted = ("Unsorted",) if rng.random() < 0.5 else ()
    stack = f"Stack<{', '.join((f'Coalesceable<{growth}>', *bins, *unsorted, 'Coalesce'))}>"
    offers = GET_SIZE | OWNS | EXPAND | GOOD_SIZE | CLEAR | ALLOCATE
    return above(heap, stack, offers=offers, reuses=True, partial_clear=loses(heap), releases=True,
                 exact=False, words=False, has_tags_below=True,
                 tagged=True, threads=False)  # fmt: skip


def select_mmap(rng, heap):
    large = rng.choice(("MmapHeap", "SizedSource"))
    stage = f"SelectMmap<{rng.choice((1000, 20000))}, {large}, {rng.choice((20000, 50000))}>"
    offers = heap.offers & ~(FREE_SIZED | REMAP) | (REMAP if large == "MmapHeap" else 0)
    return above(heap, stage, offers=offers, grown=True, threads=False,
                 tagged=False, **UNSURE)  # fmt: skip


# --- special heaps ---


def obstack(rng, heap):
    return above(heap, f"Obstack<{rng.choice((1, 1000, 4096))}>", offers=OWNS | GOOD_SIZE | CLEAR,
                 partial_clear=loses(heap), stack=True, releases=True, **UNSURE,
                 words=False, tagged=False, threads=False)  # fmt: skip


def zone(rng, heap):
    return above(heap, f"Zone<{rng.choice((256, 4096, 65536))}>", reuses=False, releases=True,
                 offers=OWNS | GOOD_SIZE | CLEAR | ALLOCATE, partial_clear=loses(heap),
                 **UNSURE, words=False, tagged=False, threads=False)  # fmt: skip


def xalloc(_, heap):
    return above(heap, "Xalloc<600000>", offers=OWNS | EXPAND | GOOD_SIZE | CLEAR | ALLOCATE,
                 full_early=True, reuses=False, releases=True, **UNSURE,
                 words=False, tagged=False, threads=False, largest=100000)  # fmt: skip


# --- what watches, disturbs, or locks ---


def debug(rng, heap):
    offers = heap.offers & ~REMAP | GET_SIZE | GOOD_SIZE | FREE_SIZED
    return above(heap, f"Watching<{rng.choice((0, 1000))}>", offers=offers, grown=True, exact=True,
                 words=False, tagged=False, threads=False)  # fmt: skip


def passing(stage, grown=False):
    def make(_, heap):
        return above(heap, stage, offers=heap.offers & ~REMAP, grown=heap.grown or grown,
                     threads=False)  # fmt: skip

    return make


def fail(rng, heap):
    policy = rng.choice(("FailEvery<9>", "FailAtRandom<3, 8>", "FailWhenTold"))
    return above(heap, f"Fail<{policy}>", offers=heap.offers & ~REMAP, threads=False,
                 fails=heap.fails or policy != "FailWhenTold")  # fmt: skip


def throwing(_, heap):
    return above(heap, "ThrowException", offers=heap.offers & ~REMAP)


def ansi(_, heap):
    return above(heap, "Ansi", offers=(heap.offers | REALLOC | CALLOC) & ~REMAP, front=True)


def locked(_, heap):
    return above(heap, "Locked<>", threads=not heap.stack, tagged=False)


def thread(rng, heap):
    caches = ["Freelist", f"StrictSeg<{classes(rng)}, Freelist>"]
    stage = caches[0] if not is_sized(heap) else rng.choice(caches)
    offers = heap.offers & ~(FREE_SIZED | REMAP) | (0 if stage == caches[0] else GOOD_SIZE)
    return above(heap, f"Thread<3, {stage}>", offers=offers, threads=True, one_size=stage == caches[0],
                 reuses=heap.reuses or stage == caches[0], tagged=False, **UNSURE)  # fmt: skip


def owned(rng, heap):
    kingsley = "Stack<Chunk<4096, 8>, Size, StrictSeg<PowersOfTwo<20>, Freelist>>"
    stage = rng.choice(("Freelist", "Size", kingsley))
    if stage == "Freelist":
        offers, reuses = heap.offers & (GET_SIZE | GOOD_SIZE | OWNS | EXPAND), True
        offers |= heap.offers & CLEAR
    else:
        offers, reuses = GET_SIZE | GOOD_SIZE | EXPAND | ALLOCATE, heap.reuses
        offers |= heap.offers & (OWNS | CLEAR)
    if stage == kingsley:
        offers, reuses = offers | OWNS | CLEAR, True
    return above(heap, f"PHOThread<3, {stage}>", offers=offers,
                 partial_clear=loses(heap) or heap.partial_clear,
                 threads=True, reuses=reuses,
                 one_size=stage == "Freelist", releases=heap.releases or stage == kingsley,
                 words=False, tagged=False, **UNSURE)  # fmt: skip


def offload(_, heap):
    offers = GET_SIZE | EXPAND | heap.offers & (OWNS | ALLOCATE)
    return above(heap, "layers::Offload<>", offers=offers, threads=True, grown=True, reuses=True,
                 words=False, tagged=False, **UNSURE)  # fmt: skip


def is_plain(heap):
    return heap.aligned and not heap.skewed and not heap.one_size and orders_do_not_matter(heap)


def is_sized(heap):
    return heap.has(GET_SIZE) and not heap.one_size and orders_do_not_matter(heap)


def is_no_front(heap):
    return not heap.front


FIT, COMBINE, OBSERVE = "mmt/layers/fit/", "mmt/layers/combine/", "mmt/layers/observe/"
LISTS = (FIT + "freelist_heap.h", FIT + "bounded_freelist_heap.h", FIT + "adapt_heap.h",
         FIT + "dl_list.h", FIT + "size_list.h")  # fmt: skip
SIZES = (COMBINE + "size_classes.h", COMBINE + "tagged_sizes.h")

LAYERS = (
    Layer("freelist", LISTS, orders_do_not_matter, freelist),
    Layer("chunk", (FIT + "chunk_heap.h",), is_plain, chunk),
    Layer("size", ("mmt/layers/header/size_heap.h",),
          lambda heap: (heap.aligned or heap.skewed) and orders_do_not_matter(heap), size),
    Layer("adapt_list", LISTS, lambda heap: orders_do_not_matter(heap) and not heap.has_tags_below,
          adapt_list),
    Layer("adapt_sizes", LISTS, lambda heap: is_sized(heap) and not heap.has_tags_below,
          adapt_sizes),
    Layer("strict_seg", (COMBINE + "strict_seg_heap.h", *LISTS, *SIZES), is_sized, strict_seg),
    Layer("seg", (COMBINE + "seg_heap.h", *LISTS, *SIZES),
          lambda heap: is_sized(heap) and heap.stages[-1:] == ("Size",), seg),
    Layer("round_up", (COMBINE + "round_up_heap.h", *SIZES),
          lambda heap: not heap.front and not heap.one_size, round_up),
    Layer("threshold", (COMBINE + "threshold_heap.h", *LISTS, *SIZES), is_sized, threshold),
    Layer("hybrid", (COMBINE + "hybrid_heap.h", *LISTS), is_sized, hybrid),
    Layer("coalescing", ("mmt/layers/header/coalesceable_heap.h", FIT + "coalesce_heap.h",
                         FIT + "unsorted_heap.h", COMBINE + "seg_heap.h", *LISTS, *SIZES),
          lambda heap: is_plain(heap) and not heap.has_tags_below, coalescing),
    Layer("select_mmap", (COMBINE + "select_mmap_heap.h", "mmt/layers/source/mmap_heap.h"),
          lambda heap: is_sized(heap) and heap.tagged, select_mmap),
    Layer("obstack", ("mmt/layers/special/obstack_heap.h",), is_plain, obstack),
    Layer("zone", ("mmt/layers/special/zone_heap.h",), is_plain, zone),
    Layer("xalloc", ("mmt/layers/special/xalloc_heap.h",),
          lambda heap: is_plain(heap) and heap.largest == NO_LIMIT, xalloc),
    Layer("debug", (OBSERVE + "debug_heap.h",), orders_do_not_matter, debug),
    Layer("statistics", (OBSERVE + "statistics_heap.h",), is_no_front, passing("Statistics")),
    Layer("profile", (OBSERVE + "profile_heap.h",), is_no_front, passing("Profile", grown=True)),
    Layer("trace", (OBSERVE + "trace_heap.h",), is_no_front, passing("Traced<false>", grown=True)),
    Layer("fail", (OBSERVE + "fail_heap.h",), is_no_front, fail),
    Layer("locked", ("mmt/layers/thread/locked_heap.h",), is_no_front, locked),
    Layer("thread", ("mmt/layers/thread/thread_heap.h", COMBINE + "strict_seg_heap.h", *LISTS,
                     *SIZES), is_sized, thread),
    Layer("owned", ("mmt/layers/thread/pho_thread_heap.h", COMBINE + "strict_seg_heap.h",
                    FIT + "chunk_heap.h", "mmt/layers/header/size_heap.h", *LISTS, *SIZES),
          is_plain, owned),
    Layer("offload", ("mmt/layers/thread/offload/offload_heap.h",),
          lambda heap: is_sized(heap) and heap.aligned and heap.words, offload),
    Layer("throw", ("mmt/layers/adapt/throw_exception_heap.h",), lambda heap: True, throwing),
    Layer("ansi", ("mmt/layers/adapt/ansi_heap.h",),
          lambda heap: is_sized(heap) and heap.aligned, ansi),
)  # fmt: skip

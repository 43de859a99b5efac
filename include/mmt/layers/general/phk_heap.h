// This is Poul-Henning Kamp's allocator of FreeBSD 2.2 to 6 (PHKmalloc), composed of layers.
// Source: Kamp, Malloc(3) Revisited, USENIX 1998. What is known of a page lies apart from it in a
// directory. So a program that does not write to a page does not touch it, and wrong pointers are
// found out. Checks of OpenBSD's malloc, which descends from it, are options. The Options parameter
// says where options are read from at the first use, as PhkProcessOptions.
//
// This allocator differs from the original. Blocks are aligned to 16 bytes, and free needs no
// memory. New pages complete those that are free at the end. A wrong pointer costs a warning, never
// the heap.
#pragma once

#include <mmt/layers/general/phk/control_heap.h>
#include <mmt/layers/general/phk/page_heap.h>
#include <mmt/layers/general/phk/page_region_heap.h>
#include <mmt/layers/general/phk/page_runs_heap.h>
#include <mmt/layers/general/phk/phk_calls_heap.h>
#include <mmt/layers/general/phk/phk_canary_heap.h>
#include <mmt/layers/general/phk/phk_chunks_heap.h>
#include <mmt/layers/general/phk/phk_delay_heap.h>
#include <mmt/layers/general/phk/phk_junk_heap.h>
#include <mmt/layers/general/phk/process_options.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/system_heap.h>

namespace mmt::layers {

template <class Options = PhkNoOptions>
using Phk = Stack<PhkControl<Options>,  // options and warnings
                  PageRegion,           // pages at the end of the source
                  PageRuns,             // runs of them, with the directory
                  Pages,                // large blocks
                  PhkChunks,            // pages of small blocks
                  PhkDelay,             // F
                  PhkJunk,              // J, Z
                  PhkCanary,            // C
                  PhkCalls>;            // names of calls, recursion; R, U, V, X

template <class Source = SystemHeap, class Options = PhkNoOptions>
using PhkHeap = Pipe<Source, Phk<Options>>;

}  // namespace mmt::layers

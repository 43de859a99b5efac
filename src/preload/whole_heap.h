#pragma once
// What the names of libmmt.so ask of the process's heap as a whole: the same for the plain heap and
// the hardened one.
#include <stdio.h>

#include <climits>
#include <cstddef>

#include "heap/keeper/purger.h"
#include "heap/process/allocation.h"
#include "heap/process/opening.h"
#include "heap/process/process_heap.h"
#include "heap/thread/entry.h"
#include "preload/info.h"

namespace mmt::preload {

struct WholeHeap {
  static void keep_to_slow_paths() { heap::keep_to_slow_paths(heap::process_heap); }
  static bool trim(size_t) { return heap::trim(heap::process_heap); }
  static void set_trim_threshold(int value) {
    // Either is how programs ask that nothing goes.
    const bool keeps = value < 0 || value == INT_MAX;
    heap::Purger::set_floor(heap::process_heap,
                            keeps ? heap::kKeepAll : static_cast<size_t>(value));
    if (keeps) heap::prepare_for_no_faults(heap::process_heap);
  }
  static struct mallinfo2 info() { return preload::info(heap::process_heap); }
  static int print_info(int options, FILE* stream) {
    return preload::print_info(heap::process_heap, options, stream);
  }
  static void print_stats() { preload::print_stats(heap::process_heap); }
  static void install_fork_handlers() { heap::install_fork_handlers(); }
};

}  // namespace mmt::preload

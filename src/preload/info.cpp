#include "preload/info.h"

#include <cerrno>

#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

#include "observe/stats.h"

namespace mmt::preload {
namespace {

using observe::Census;
using observe::ClassCensus;
using store::kClassCount;
using store::kClasses;
using store::SizeClass;

struct Amount {
  size_t blocks = 0;
  size_t bytes = 0;

  void add(size_t more, size_t size) {
    blocks += more;
    bytes += more * size;
  }
};

struct Totals {
  Amount in_use;   // small blocks
  Amount cached;   // free, in threads' hands
  Amount resting;  // free, elsewhere
};

Totals totals_of(const Census& census) {
  Totals totals;
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const ClassCensus& here = census.classes[c];
    totals.in_use.add(here.in_use(), kClasses[c].size);
    totals.cached.add(here.cached, kClasses[c].size);
    totals.resting.add(here.free() - here.cached, kClasses[c].size);
  }
  return totals;
}

// What small blocks live in, or may without asking the system.
size_t arena_bytes(const Census& census) {
  return census.depot.span_bytes + census.depot.dirty_free_bytes;
}

void print_total(FILE* stream, const char* type, const Amount& amount) {
  fprintf(stream, "<total type=\"%s\" count=\"%zu\" size=\"%zu\"/>\n", type, amount.blocks,
          amount.bytes);
}

void print_system(FILE* stream, const Census& census) {
  const size_t current = arena_bytes(census) + census.depot.large_bytes;
  fprintf(stream,
          "<system type=\"current\" size=\"%zu\"/>\n<system type=\"max\" size=\"%zu\"/>\n"
          "<aspace type=\"total\" size=\"%zu\"/>\n<aspace type=\"mprotect\" size=\"%zu\"/>\n",
          current, census.depot.frontier_bytes, census.mapped_bytes, census.mapped_bytes);
}

void print_sizes(FILE* stream, const Census& census) {
  fputs("<sizes>\n", stream);
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const size_t size = kClasses[c].size;
    const uint64_t free = census.classes[c].free();
    const size_t from = c == 1 ? 1 : kClasses[c - 1].size + 1;
    if (free != 0)
      fprintf(stream, "  <size from=\"%zu\" to=\"%zu\" total=\"%zu\" count=\"%zu\"/>\n", from, size,
              free * size, static_cast<size_t>(free));
  }
  fputs("</sizes>\n", stream);
}

struct mallinfo2 summary_of(const Census& census) {
  const Totals totals = totals_of(census);
  struct mallinfo2 result {};
  result.arena = arena_bytes(census);
  result.ordblks = totals.resting.blocks;
  result.smblks = totals.cached.blocks;
  result.hblks = census.depot.large_blocks;
  result.hblkhd = census.depot.large_bytes;
  result.fsmblks = totals.cached.bytes;
  result.uordblks = totals.in_use.bytes;
  result.fordblks = result.arena - result.uordblks;
  result.keepcost = census.depot.dirty_free_bytes;
  return result;
}

MMT_NOINLINE struct mallinfo2 summary_on_stack(heap::Heap& heap) {
  Census census;
  observe::collect_census(heap, &census);
  return summary_of(census);
}

}  // namespace

// A census is no small thing to put on a stack: only where no page is to be had.
struct mallinfo2 info(heap::Heap& heap) {
  auto* census = static_cast<Census*>(sys::map_anywhere(sizeof(Census)));
  if (census == nullptr) return summary_on_stack(heap);
  observe::collect_census(heap, census);
  const struct mallinfo2 result = summary_of(*census);
  sys::unmap(census, sizeof(Census));
  return result;
}

int print_info(heap::Heap& heap, int options, FILE* stream) {
  if (options != 0) return EINVAL;
  Census census;
  observe::collect_census(heap, &census);
  const Totals totals = totals_of(census);
  fputs("<malloc version=\"1\">\n<heap nr=\"0\">\n", stream);
  print_sizes(stream, census);
  print_total(stream, "fast", totals.cached);
  print_total(stream, "rest", totals.resting);
  print_system(stream, census);
  fputs("</heap>\n", stream);
  print_total(stream, "fast", totals.cached);
  print_total(stream, "rest", totals.resting);
  print_total(stream, "mmap", {census.depot.large_blocks, census.depot.large_bytes});
  print_system(stream, census);
  fputs("</malloc>\n", stream);
  return ferror(stream) != 0 ? EIO : 0;
}

void print_stats(heap::Heap& heap) {
  Census census;
  observe::collect_census(heap, &census);
  const size_t arena = arena_bytes(census);
  const size_t used = totals_of(census).in_use.bytes;
  const size_t large = census.depot.large_bytes;
  fprintf(stderr,
          "Arena 0:\n"
          "system bytes     = %10zu\n"
          "in use bytes     = %10zu\n"
          "Total (incl. mmap):\n"
          "system bytes     = %10zu\n"
          "in use bytes     = %10zu\n"
          "max mmap regions = %10zu\n"
          "max mmap bytes   = %10zu\n",
          arena, used, arena + large, used + large, census.depot.large_blocks_peak,
          census.depot.large_bytes_peak);
}

}  // namespace mmt::preload

#include "heap/process/taken_block.h"

#include <algorithm>

#include <mmt/core/compiler.h>
#include <mmt/sys/thread.h>

#include "heap/object/samples.h"
#include "heap/process/moved_pages.h"

namespace mmt::heap {
namespace {

// What a fresh block needs beyond this comes at once: it does not tell how fast the heap grows.
constexpr size_t kTellingBytes = size_t{2} << 20;

size_t offset_of(Heap& heap, const void* at) {
  return static_cast<size_t>(static_cast<const char*>(at) - heap.depot.region().base());
}

bool holds_prepared(Heap& heap, const store::CleanParts::Part& part) {
  return heap.depot.prepared().has_some(offset_of(heap, part.start), part.bytes);
}

// Parts what is fresh where it is prepared no further.
void split_behind_prepared(Heap& heap, store::CleanParts& clean) {
  if (clean.empty()) return;
  store::CleanParts::Part& last = *(clean.end() - 1);
  const size_t start = offset_of(heap, last.start);
  const size_t through = heap.depot.prepared().through();
  if (!holds_prepared(heap, last) || through >= start + last.bytes) return;
  const size_t prepared = through - start;
  char* const behind = last.start + prepared;
  clean.add(behind, last.bytes - prepared);
  last.bytes = prepared;
}

// Gives what of a block holds no memory pages that lie free elsewhere. What was prepared holds
// memory already: other pages there would take its place. False: the block was lost.
bool fill_clean(Heap& heap, Taken& taken) {
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  split_behind_prepared(heap, taken.clean);
  for (auto& part : taken.clean) {
    if (holds_prepared(heap, part)) continue;
    const Filled filled = fill_from_free(heap, part.start, part.bytes);
    if (filled.broken) return false;
    part.start += filled.bytes;
    part.bytes -= filled.bytes;
    if (part.bytes >= kLeastDonor) break;  // nothing of use is left
  }
  return true;
}

void sample_clean(Heap& heap, const Taken& taken, size_t bytes) {
  for (const auto& part : taken.clean)
    heap.samples.add_part(heap.depot, kind_of_large(bytes), part.start, part.bytes);
}

// The memory thread has made resident what was to come.
bool was_prepared(Heap& heap, const Taken& taken, size_t bytes) {
  return taken.fresh && heap.depot.prepared().has_all(offset_of(heap, taken.block), bytes);
}

// Relaxed: a figure.
void note_growth(Heap& heap, const Taken& taken, size_t bytes) {
  const size_t telling = std::min(clean_bytes(taken), kTellingBytes);
  if (taken.fresh && bytes > telling)
    heap.untelling_bytes.fetch_add(bytes - telling, std::memory_order_relaxed);
}

}  // namespace

size_t clean_bytes(const Taken& taken) {
  size_t bytes = 0;
  for (const auto& part : taken.clean) bytes += part.bytes;
  return bytes;
}

MMT_NOINLINE bool prepare_taken(Heap& heap, Taken& taken, size_t bytes) {
  const bool ready = was_prepared(heap, taken, bytes);
  if (!ready && !taken.clean.empty() && worth_filling(heap, bytes, kind_of_large(bytes)) &&
      !fill_clean(heap, taken))
    return false;
  sample_clean(heap, taken, bytes);
  if (!ready && bytes >= kFilledBytes) give_back_excess(heap, clean_bytes(taken));
  note_growth(heap, taken, bytes);
  return true;
}

}  // namespace mmt::heap

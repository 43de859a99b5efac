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

using Part = store::CleanParts::Part;

// What the memory thread has made resident of a fresh block of `bytes`. By one look, as that thread
// goes on meanwhile.
Part prepared_of(Heap& heap, const Taken& taken, size_t bytes) {
  auto* const block = static_cast<char*>(taken.block);
  if (!taken.fresh) return {block, 0};
  char* const base = heap.depot.region().base();
  const store::PreparedMemory::Range prepared = heap.depot.prepared().range();
  char* const start = std::clamp(base + prepared.from, block, block + bytes);
  char* const end = std::clamp(base + prepared.through, start, block + bytes);
  return {start, static_cast<size_t>(end - start)};
}

bool is_within(const Part& part, const Part& other) {
  return part.start >= other.start && part.end() <= other.end();
}

// Parts the last part, which is what is fresh, there. A part for which there is no room counts as
// memory that was used.
void split_at(store::CleanParts& clean, char* at) {
  if (clean.empty()) return;
  Part& last = *(clean.end() - 1);
  if (at <= last.start || at >= last.end()) return;
  const auto behind = static_cast<size_t>(last.end() - at);
  last.bytes -= behind;
  clean.add(at, behind);
}

// Gives what of a block holds no memory pages that lie free elsewhere. What was prepared holds
// memory already: other pages there would take its place. False: the block was lost.
bool fill_clean(Heap& heap, Taken& taken, const Part& prepared) {
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  if (prepared.bytes != 0) {
    split_at(taken.clean, prepared.start);
    split_at(taken.clean, prepared.end());
  }
  for (auto& part : taken.clean) {
    if (is_within(part, prepared)) continue;
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
  const Part prepared = prepared_of(heap, taken, bytes);
  const bool is_ready = prepared.bytes == bytes;
  if (!is_ready && !taken.clean.empty() && worth_filling(heap, bytes, kind_of_large(bytes)) &&
      !fill_clean(heap, taken, prepared))
    return false;
  sample_clean(heap, taken, bytes);
  const size_t clean = clean_bytes(taken);
  if (bytes >= kFilledBytes) give_back_excess(heap, clean - std::min(clean, prepared.bytes));
  note_growth(heap, taken, bytes);
  return true;
}

}  // namespace mmt::heap

#include "heap/process/block_run.h"

#include "heap/object/volume.h"
#include "heap/thread/entry.h"
#include "heap/thread/hand_over.h"

namespace mmt::heap {
namespace {

// kNoClass but for blocks in spans as they were made.
SizeClass small_class_of(Heap& heap, const void* block) {
  const store::Region& region = heap.depot.region();
  if (!region.contains(block)) return store::kNoClass;
  const uint8_t code = region.class_of(region.slot_index(block));
  return code < kClassCount ? code : store::kNoClass;
}

}  // namespace

size_t deallocate_run(Heap& heap, void* const* blocks, size_t count) {
  if (count < kLeastRun) return 0;
  const SizeClass c = small_class_of(heap, blocks[0]);
  if (c == store::kNoClass) return 0;
  size_t run = 1;
  while (run < count && small_class_of(heap, blocks[run]) == c) ++run;
  if (run < kLeastRun) return 0;
  Entry entry(heap);
  Client* client = entry.client();
  if (client == nullptr) return 0;
  give_back(*client, c, blocks, run);
  count_freed(heap, run * kClasses[c].size);
  return run;
}

}  // namespace mmt::heap

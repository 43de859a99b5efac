#include "heap/object/fast_path.h"

namespace mmt::heap {
namespace {

void* null_entry = nullptr;
uint64_t ignored_rseq_word;

constexpr FastPart make_empty_fast_part() {
  FastPart part{};
  for (size_t code = 0; code < store::kClassCodes; ++code) {
    part.top[code] = &null_entry;
    part.limit[code] = &null_entry;
  }
  part.rseq_word = &ignored_rseq_word;
  for (size_t step = 0; step <= store::kMaxSmallSize / 16; ++step)
    part.class_of_step[step] = static_cast<uint8_t>(store::class_of_size(step * 16));
  return part;
}

}  // namespace

constinit FastPart empty_fast_part = make_empty_fast_part();
constinit FastSizes fast_sizes{};
constinit __thread FastPart* current_fast = &empty_fast_part;

}  // namespace mmt::heap

#include "preload/perturb.h"

#include <cstring>

#include "offload/heap.h"

namespace mmt::preload {
namespace {

void fill(void* block, uint8_t flipped) {
  const uint8_t byte = perturb_byte.load(std::memory_order_relaxed);
  if (block != nullptr && byte != 0) memset(block, byte ^ flipped, offload::usable_size(block));
}

}  // namespace

void start_perturbing(int value) {
  const auto byte = static_cast<uint8_t>(value & 0xff);
  if (byte != 0) offload::keep_to_slow_paths();
  perturb_byte.store(byte, std::memory_order_relaxed);
}

MMT_COLD void perturb_new(void* block) { fill(block, 0xff); }
MMT_COLD void perturb_freed(void* block) { fill(block, 0); }

}  // namespace mmt::preload

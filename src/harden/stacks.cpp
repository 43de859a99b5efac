#include "harden/stacks.h"

#include <algorithm>

#include "harden/capture.h"

namespace mmt::harden {

constinit Stacks stacks{};

namespace {

// A word of an old frame may be among the later ones, and differ each time.
constexpr uint32_t kDistinguishing = 6;

uint64_t key_of(const Stack& stack) {
  uint64_t key = 1;
  for (uint32_t i = 0; i < std::min(stack.count, kDistinguishing); ++i)
    key = (key ^ reinterpret_cast<uintptr_t>(stack.frames[i])) * 0x9E3779B97F4A7C15;
  return key | 1;
}

}  // namespace

void Stacks::open(store::Budget& budget) {
  places_ = static_cast<Place*>(budget.map_anywhere(kCount * sizeof(Place)));
}

void Stacks::write(Place* place, const Stack& stack) {
  for (uint32_t i = 0; i < stack.count; ++i) place->frames[i] = stack.frames[i];
  // Release: with the count come the frames. Partner: stack_of.
  __atomic_store_n(&place->count, stack.count, __ATOMIC_RELEASE);
}

Site Stacks::number_of(const void* caller) {
  if (caller == nullptr || places_ == nullptr) return Sites::kNone;
  Stack stack{};
  capture_call(&stack, caller);
  const uint64_t key = key_of(stack);
  const auto first = static_cast<Site>(key >> 48);
  for (size_t i = 0; i < kNeighbours; ++i) {
    const auto site = static_cast<Site>(first + i);
    if (site == Sites::kNone) continue;
    Place& place = places_[site];
    uint64_t seen = 0;
    // Relaxed: whoever finds the key takes the number alone.
    if (__atomic_compare_exchange_n(&place.key, &seen, key, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      write(&place, stack);
      return site;
    }
    if (seen == key) return site;
  }
  return Sites::kNone;
}

Stack Stacks::stack_of(Site site) const {
  Stack stack{};
  if (places_ == nullptr || site == Sites::kNone) return stack;
  const Place& place = places_[site];
  // Acquire: see write.
  stack.count = __atomic_load_n(&place.count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < stack.count; ++i) stack.frames[i] = place.frames[i];
  return stack;
}

}  // namespace mmt::harden

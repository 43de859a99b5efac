// Fails on purpose, as the Policy says, so that what lies above can be tried without memory. A
// policy has fails(bytes), called once for each malloc, allocate and expand; fail_policy() reaches
// it. Refusals are counted.
#pragma once

#include <concepts>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/adapt/front_heap.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class P>
concept FailPolicy = requires(P& policy, size_t bytes) {
  { policy.fails(bytes) } -> std::same_as<bool>;
};

// The kNth request fails, and each kNth after it.
template <size_t kNth>
struct FailEvery {
  static_assert(kNth > 0);
  bool fails(size_t) { return ++requests % kNth == 0; }
  size_t requests = 0;
};

// Fails from the request on with which more than kBytes have been asked for.
template <size_t kBytes>
struct FailAfter {
  bool fails(size_t bytes) {
    if (bytes > left) is_exhausted = true;
    if (!is_exhausted) left -= bytes;
    return is_exhausted;
  }
  size_t left = kBytes;
  bool is_exhausted = false;
};

// One request in kOneIn on average, the same ones each time.
template <uint64_t kSeed, uint64_t kOneIn>
struct FailAtRandom {
  static_assert(kOneIn > 0);
  bool fails(size_t) {
    uint64_t mixed = state += 0x9e3779b97f4a7c15u;  // splitmix64
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return (mixed ^ (mixed >> 31)) % kOneIn == 0;
  }
  uint64_t state = kSeed;
};

// Serves so many requests as the program says, then fails; at first, all.
struct FailWhenTold {
  bool fails(size_t) {
    if (left == 0) return true;
    --left;
    return false;
  }
  size_t left = SIZE_MAX;
};

template <class Policy, class Super>
class FailHeap : public Super {
  static_assert(Heap<Super>, "FailHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(FailPolicy<Policy>, "FailHeap: its Policy has no bool fails(size_t)");
  static_assert(!FrontHeap<Super>,
                "FailHeap: realloc and calloc of its super-heap would pass it by; put it below");

 public:
  using Super::Super;

  void* malloc(size_t bytes) { return refuses(bytes) ? nullptr : Super::malloc(bytes); }
  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    return refuses(bytes) ? Block() : Super::allocate(bytes, alignment);
  }
  bool expand(void* block, size_t bytes) requires ResizableHeap<Super> {
    return !refuses(bytes) && Super::expand(block, bytes);
  }
  // It is as ObservedHeap's.
  size_t get_size(const void* block) const requires SizedHeap<Super> {
    return Super::get_size(block);
  }
  // These would never fail.
  void remap(void* block, size_t bytes) = delete;
  void* malloc_quickly(size_t bytes) = delete;

  Policy& fail_policy() { return policy_; }
  size_t refusals() const { return refusals_; }

 private:
  bool refuses(size_t bytes) {
    if (MMT_LIKELY(!policy_.fails(bytes))) return false;
    ++refusals_;
    return true;
  }

  Policy policy_;
  size_t refusals_ = 0;
};

template <class Policy>
struct Fail {
  template <class Super>
  using Over = FailHeap<Policy, Super>;
};

}  // namespace mmt::layers

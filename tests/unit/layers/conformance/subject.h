// A subject is a heap whose type is forgotten, so that the checks are compiled once for all
// compositions. The header also has what a composition promises, and how to make a subject from a
// type: compose<H>().
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <type_traits>

#include <mmt/layers/adapt/remapping_heap.h>
#include <mmt/layers/heap.h>

namespace mmt::layers::conformance {

// What a heap offers beyond malloc and free, one bit each.
enum Offer : unsigned {
  kGetSize = 1,
  kFreeSized = 2,
  kOwns = 4,
  kExpand = 8,
  kGoodSize = 16,
  kClear = 32,
  kAllocate = 64,
  kRealloc = 128,
  kCalloc = 256,
  kRemap = 512,
};

class Subject {
 public:
  virtual ~Subject() = default;
  virtual void* malloc(size_t bytes) = 0;
  virtual void free(void* block) = 0;
  // What the heap does not offer is not called.
  virtual void free_sized(void* block, size_t bytes) = 0;
  virtual size_t get_size(const void* block) = 0;
  virtual bool owns(const void* address) = 0;
  virtual bool expand(void* block, size_t bytes) = 0;
  virtual size_t good_size(size_t bytes) = 0;
  virtual void clear() = 0;
  virtual Block allocate(size_t bytes, size_t alignment) = 0;
  virtual void* realloc(void* block, size_t bytes) = 0;
  virtual void* calloc(size_t count, size_t bytes) = 0;
  virtual void* remap(void* block, size_t bytes) = 0;
};

// What no concept says about a composition.
struct Terms {
  bool gives_nothing = false;        // never a block
  bool is_full_early = false;        // memory of a fixed size: null is no fault
  bool fails_at_times = false;       // on purpose
  bool reuses = true;                // what is freed serves again
  bool is_stack = false;             // free ends the life of all blocks that are younger, too
  bool releases_live = false;        // the end gives back blocks that are in use
  bool is_shared = false;            // all heaps of the type are one, which is never ended
  bool is_for_threads = false;       // any thread may call
  bool may_be_copied = false;        // it only refers to a heap
  bool clears_in_part = false;       // clear() loses what the source does not use again
  bool has_side_tables = false;      // which a request may leave larger, even if it fails
  size_t largest = size_t{1} << 20;  // requests beyond may be refused
  unsigned offers = ~0U;             // the very offers it must make; ~0: any
};

struct Traits {
  size_t alignment;
  size_t skew;
  bool is_one_size;
  bool keeps_all;
  bool is_contiguous;
  bool can_be_copied;
  unsigned offers;
};

struct Composition {
  std::string name;
  std::string type;  // to be read
  Terms terms;
  Traits traits;
  std::unique_ptr<Subject> (*make)();

  bool offers(Offer offer) const { return (traits.offers & offer) != 0; }
};

// What the test framework prints.
inline void PrintTo(const Composition& composition, std::ostream* out) { *out << composition.name; }

template <class H>
constexpr unsigned offers_of() {
  unsigned offers = 0;
  if (SizedHeap<H>) offers |= kGetSize;
  if (SizedFreeHeap<H>) offers |= kFreeSized;
  if (OwningHeap<H>) offers |= kOwns;
  if (ResizableHeap<H>) offers |= kExpand;
  if (GoodSizeHeap<H>) offers |= kGoodSize;
  if (ClearableHeap<H>) offers |= kClear;
  if (AligningHeap<H>) offers |= kAllocate;
  if (requires(H & heap, void* block) { heap.realloc(block, size_t{}); }) offers |= kRealloc;
  if (requires(H & heap) { heap.calloc(size_t{}, size_t{}); }) offers |= kCalloc;
  if (RemappingHeap<H>) offers |= kRemap;
  return offers;
}

template <class H>
class SubjectOf final : public Subject {
 public:
  // A heap that throws instead of returning null is held to the same rules.
  void* malloc(size_t bytes) override {
    try {
      return heap_.malloc(bytes);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  void free(void* block) override { heap_.free(block); }
  void free_sized([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) override {
    if constexpr (SizedFreeHeap<H>) heap_.free(block, bytes);
  }
  size_t get_size([[maybe_unused]] const void* block) override {
    if constexpr (SizedHeap<H>) return heap_.get_size(block);
    return 0;
  }
  bool owns([[maybe_unused]] const void* address) override {
    if constexpr (OwningHeap<H>) return heap_.owns(address);
    return false;
  }
  bool expand([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) override {
    if constexpr (ResizableHeap<H>) return heap_.expand(block, bytes);
    return false;
  }
  size_t good_size([[maybe_unused]] size_t bytes) override {
    if constexpr (GoodSizeHeap<H>) return heap_.good_size(bytes);
    return 0;
  }
  void clear() override {
    if constexpr (ClearableHeap<H>) heap_.clear();
  }
  Block allocate([[maybe_unused]] size_t bytes, [[maybe_unused]] size_t alignment) override {
    try {
      if constexpr (AligningHeap<H>) return heap_.allocate(bytes, alignment);
    } catch (const std::bad_alloc&) {
    }
    return {};
  }
  void* realloc([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) override {
    try {
      if constexpr ((offers_of<H>() & kRealloc) != 0) return heap_.realloc(block, bytes);
    } catch (const std::bad_alloc&) {
    }
    return nullptr;
  }
  void* calloc([[maybe_unused]] size_t count, [[maybe_unused]] size_t bytes) override {
    try {
      if constexpr ((offers_of<H>() & kCalloc) != 0) return heap_.calloc(count, bytes);
    } catch (const std::bad_alloc&) {
    }
    return nullptr;
  }
  void* remap([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) override {
    if constexpr ((offers_of<H>() & kRemap) != 0) return heap_.remap(block, bytes);
    return nullptr;
  }

 private:
  H heap_;
};

template <class H>
Composition compose(std::string name, Terms terms = {}) {
  static_assert(Heap<H>, "compose: the composition has no malloc(size_t) and free(void*)");
  constexpr bool kCopied = std::is_copy_constructible_v<H> || std::is_move_constructible_v<H> ||
                           std::is_copy_assignable_v<H> || std::is_move_assignable_v<H>;
  const Traits traits = {H::kAlignment,    H::kSkew,         kIsOneSize<H>,
                         kIsKeepingAll<H>, kIsContiguous<H>, kCopied && !std::is_empty_v<H>,
                         offers_of<H>()};
  return {std::move(name), __PRETTY_FUNCTION__, terms, traits,
          []() -> std::unique_ptr<Subject> { return std::make_unique<SubjectOf<H>>(); }};
}

}  // namespace mmt::layers::conformance

#pragma once
// A fit policy (fit/policy.h) as a heap: sizes lie in the headers of its chunks.
//
//   Pipe<ReservedHeap<>, Fitting<FitChoice<fit::SequentialFit, fit::SequentialOptions{}>>>
//
// What requests become is written in fit/requests.h. An aligned block lies within a chunk; the word
// before it tells how far, plus 1: a size is even. What is freed stays with the policy. One thread
// may use it.
#include <cstddef>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/fit/requests.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

// Which policy, over which words and chunks. Another choice is a class of one's own with these
// three: Policy is a default constructible class template.
template <template <class> class PolicyTemplate, auto... kOptions>
struct FitChoice {
  using Word = uint64_t;
  static constexpr fit::Shape kShape{fit::Header::kWord, kBlockAlignment, fit::kPaperGrowth};
  template <class ArenaType>
  struct Policy : PolicyTemplate<ArenaType> {
    constexpr Policy() : PolicyTemplate<ArenaType>(kShape, kOptions...) {}
  };
};

template <class Super, class Choice>
class FitHeap {
  static_assert(Heap<Super>, "FitHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(kIsContiguous<Super>,
                "FitHeap: its super-heap's blocks do not follow one another; put it on "
                "ReservedHeap");
  static_assert(Choice::kShape.header == fit::Header::kWord,
                "FitHeap: its policy's chunks have no header, by which free(block) knows sizes");
  static_assert(Choice::kShape.granule >= kBlockAlignment,
                "FitHeap: its policy's granule is less than the alignment of any type");
  static_assert(Super::kSkew == 0 && Super::kAlignment >= Choice::kShape.granule,
                "FitHeap: the blocks of its super-heap are aligned to less than a granule");

 public:
  using Word = typename Choice::Word;
  using ArenaType = fit::Arena<Word, Super>;
  using Policy = typename Choice::template Policy<ArenaType>;

 private:
  static_assert(fit::FitPolicy<Policy>,
                "FitHeap: its choice's Policy does not offer what fit/policy.h asks for");

 public:
  static constexpr size_t kAlignment = Choice::kShape.granule;
  static constexpr size_t kSkew = 0;
  static constexpr bool kKeepsAll = true;

  FitHeap() = default;
  FitHeap(const FitHeap&) = delete;
  FitHeap& operator=(const FitHeap&) = delete;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    const fit::Address at = policy_.allocate(bytes);
    return MMT_LIKELY(at != fit::kNone) ? policy_.arena().pointer_to(at) : nullptr;
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    const fit::Address at = policy_.arena().address_of(block);
    policy_.free(at - skipped_before(at), 0);
  }

  Block allocate(size_t bytes, size_t alignment) {
    if (alignment <= kAlignment) {
      void* const block = malloc(bytes);
      return block == nullptr ? Block{} : Block{block, get_size(block)};
    }
    const size_t asked = fit::aligned_bytes(bytes, alignment, kAlignment);
    auto* const start = static_cast<char*>(asked == 0 ? nullptr : malloc(asked));
    if (start == nullptr) return {};
    const auto address = reinterpret_cast<uintptr_t>(start);
    const size_t skipped = core::align_up(address, alignment) - address;
    char* const block = start + skipped;
    if (skipped != 0) {
      policy_.arena().store(policy_.arena().address_of(block) - sizeof(Word),
                            static_cast<Word>(skipped + 1));
    }
    return {block, get_size(block)};
  }

  size_t get_size(const void* block) const {
    const fit::Address at = policy_.arena().address_of(block);
    const size_t skipped = skipped_before(at);
    return policy_.usable(at - skipped, 0) - skipped;
  }
  bool owns(const void* address) const { return policy_.arena().contains(address); }

  // A chunk neither grows nor shrinks.
  bool expand(void* block, size_t bytes) const {
    return fit::keeps_place(get_size(block), 0, bytes);
  }
  void cut(void*, size_t) {}

  Usage usage() const {
    Usage usage;
    usage.system_bytes = policy_.arena().end();
    usage.free_bytes = policy_.free_bytes() + uncut_bytes();
    usage.free_blocks = policy_.free_chunks();
    return usage;
  }

  Policy& policy() { return policy_; }
  const Policy& policy() const { return policy_; }

 private:
  // From the chunk's own address to the owner's, where that was aligned.
  MMT_ALWAYS_INLINE size_t skipped_before(fit::Address at) const {
    const size_t word = policy_.arena().load(at - sizeof(Word));
    return MMT_LIKELY((word & 1) == 0) ? 0 : word - 1;
  }
  // What a policy has beside chunks, if it tells.
  size_t uncut_bytes() const {
    if constexpr (requires { policy_.uncut_bytes(); }) return policy_.uncut_bytes();
    return 0;
  }

  Policy policy_;
};

template <class Choice>
struct Fitting {
  template <class Super>
  using Over = FitHeap<Super, Choice>;
};

}  // namespace mmt::layers

// The sources below what is tested are top heaps over the ledger. The ledger counts and poisons,
// and fails when the plan says so. Each kind offers what it takes to meet some layers'
// requirements:
// - PlainSource       malloc and free, and no more
// - SizedSource       get_size, more than was asked for; allocate
// - FullSource        all that a heap may offer, but growth in place
// - SkewedSource      blocks at 8 modulo 16
// - ShyAlignedSource  blocks at multiples of 8, not of 16
#pragma once

#include <mmt/core/checked.h>
#include <mmt/layers/heap.h>

#include "unit/layers/conformance/ledger.h"

namespace mmt::layers::conformance {

template <size_t kAligned, size_t kSkewed>
class SourceOf {
 public:
  static constexpr size_t kAlignment = kAligned;
  static constexpr size_t kSkew = kSkewed;

  SourceOf() = default;
  SourceOf(const SourceOf&) = delete;
  SourceOf& operator=(const SourceOf&) = delete;

  void* malloc(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    return Ledger::give({id(), bytes, bytes, kAlignment, kSkewOf16});
  }
  void free(void* block) { Ledger::take_back(id(), block); }

 protected:
  const void* id() const { return id_; }

 private:
  // The ledger's own blocks are more than 16-aligned.
  static constexpr size_t kSkewOf16 = kAligned < kBlockAlignment ? kAligned : kSkewed;

  // Each object is a heap of its own: it must not be empty, and so all the same to its holder.
  const void* id_ = this;
};

using PlainSource = SourceOf<kBlockAlignment, 0>;
using SkewedSource = SourceOf<kBlockAlignment, kBlockAlignment - sizeof(size_t)>;
using ShyAlignedSource = SourceOf<sizeof(size_t), 0>;

class SizedSource : public PlainSource {
 public:
  void* malloc(size_t bytes) { return allocate(bytes, kAlignment).data; }
  size_t get_size(const void* block) const { return Ledger::usable_size(id(), block); }
  size_t good_size(size_t bytes) const { return bytes > kMaxRequest ? 0 : usable_of(bytes); }
  Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kMaxRequest) return {};
    const size_t usable = usable_of(bytes);
    const size_t at_least = alignment < kAlignment ? kAlignment : alignment;
    void* block = Ledger::give({id(), bytes, usable, at_least, 0});
    return block == nullptr ? Block{} : Block{block, usable};
  }

 private:
  // As the process's malloc: 16k + 8 bytes, at least 24.
  static constexpr size_t usable_of(size_t bytes) {
    return core::align_up(bytes + sizeof(size_t) < 32 ? 32 : bytes + sizeof(size_t), 16) -
           sizeof(size_t);
  }
};

class FullSource : public SizedSource {
 public:
  void free(void* block) { Ledger::take_back(id(), block); }
  void free(void* block, size_t bytes) { Ledger::take_back(id(), block, bytes); }
  bool owns(const void* address) const { return Ledger::has(id(), address); }
  void clear() { Ledger::take_back_all(id()); }
};

}  // namespace mmt::layers::conformance

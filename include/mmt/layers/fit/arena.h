#pragma once
// An arena is memory as a fit policy sees it: one stretch that grows at its end, and words at
// addresses in it. An address is a distance from the start of the stretch. So a policy takes the
// same decisions over the memory of a program and over a simulated address space. The words of
// 32-bit nodes fit 32 bits wherever the stretch lies. An arena is not thread-safe.
//
//   WordType   what a field of a node is: uint32_t or uint64_t. The stretch ends where it does.
//   Source     a contiguous heap (layers/source/reserved_heap.h, or a Fake of a test)
//   Probe      what is told of each step (fit/probe.h)
#include <cstddef>
#include <cstdint>
#include <limits>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/probe.h>
#include <mmt/layers/heap.h>

namespace mmt::layers::fit {

// A distance in bytes from the start of the arena. 0 is nobody's: no chunk begins there.
using Address = size_t;
inline constexpr Address kNone = 0;

// The paper's: a break that moves by a page of 8 KiB.
inline constexpr size_t kPaperGrowth = 8192;

struct Stretch {
  Address start = kNone;
  size_t bytes = 0;
};

template <class WordType, class Source, class Probe = NoProbe>
class Arena : public Source {
  static_assert(kIsContiguous<Source>, "Arena: its source's blocks do not follow one another");

 public:
  using Word = WordType;
  using ProbeType = Probe;

  // `growth`: memory comes in multiples of so many bytes. The first chunk begins at `first`, the
  // others a multiple of their policy's granule behind it: 0 < first < growth.
  constexpr Arena(size_t growth, Address first) : growth_(growth), first_(first) {}

  Word load(Address at) const {
    probe_.touched(at, sizeof(Word));
    return *place(at);
  }
  void store(Address at, Word value) {
    probe_.touched(at, sizeof(Word));
    *place(at) = value;
  }

  // At least so many bytes more, behind those it had. No bytes: no memory is left.
  Stretch grow(size_t bytes) {
    const Address start = end_ == kNone ? first_ : end_;
    size_t needed = 0;
    if (MMT_UNLIKELY(bytes > kMaxRequest)) return {};
    needed = core::align_up(start + bytes, growth_) - (end_ == kNone ? 0 : end_);
    const size_t most = std::numeric_limits<Word>::max() - end_;
    if (MMT_UNLIKELY(needed > most)) return {};
    void* const block = Source::malloc(needed);
    if (MMT_UNLIKELY(block == nullptr)) return {};
    if (end_ == kNone) base_ = static_cast<char*>(block);
    end_ = (end_ == kNone ? 0 : end_) + needed;
    probe_.grew(needed);
    return {start, end_ - start};
  }

  Address first() const { return first_; }
  // Behind the last byte; kNone before anything was asked for.
  Address end() const { return end_; }

  void* pointer_to(Address at) const { return base_ + at; }
  Address address_of(const void* pointer) const {
    return static_cast<size_t>(static_cast<const char*>(pointer) - base_);
  }
  bool contains(const void* pointer) const {
    const auto at = reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(base_);
    return at < end_;
  }

  Probe& probe() { return probe_; }
  const Probe& probe() const { return probe_; }

 private:
  Word* place(Address at) const { return reinterpret_cast<Word*>(base_ + at); }

  char* base_ = nullptr;
  Address end_ = kNone;
  size_t growth_;
  Address first_;
  [[no_unique_address]] mutable Probe probe_;
};

}  // namespace mmt::layers::fit

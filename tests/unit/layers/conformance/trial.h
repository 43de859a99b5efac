// A trial is one heap of a composition, used by the rules and watched. Each block that the heap
// gives is looked at in every way that the heap offers. Each refusal must change nothing, and the
// end must give back all memory. One thread uses a trial.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "unit/layers/conformance/findings.h"
#include "unit/layers/conformance/ledger.h"
#include "unit/layers/conformance/shadow_blocks.h"
#include "unit/layers/conformance/subject.h"

namespace mmt::layers::conformance {

// xorshift64*, so that a run is the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }
  size_t below(size_t bound) { return static_cast<size_t>((next() >> 16) % bound); }

 private:
  uint64_t state_;
};

enum class Order { kYoungestFirst, kOldestFirst, kRandom };

class Trial {
 public:
  // one_size: of all requests, where the heap wants that.
  Trial(const Composition& composition, Findings& findings, size_t one_size);

  Subject& heap() { return *heap_; }
  ShadowBlocks& blocks() { return blocks_; }
  // The size to ask for when `bytes` are wished.
  size_t fit(size_t bytes) const;

  // A block more. False: it was refused, which is a fault unless faults were planned.
  bool take(size_t bytes);
  bool take_aligned(size_t bytes, size_t alignment);
  // Ends the life of a block, and in a stack of the younger ones.
  void give(size_t index);
  void give_all(Order order, uint64_t seed = 1);
  // Where it lies, and by a move.
  void grow(size_t index, size_t bytes);
  void resize(size_t index, size_t bytes);
  void clear();
  // A random step; sizes up to `largest`.
  void step(Random& random, size_t most_blocks, size_t largest);

  // From now on a refusal is no fault.
  void allow_refusals(bool allowed) { may_refuse_ = allowed; }
  size_t refusals() const { return refusals_; }

  // The heap ends; what it took must have come back, unless blocks were left in use that it does
  // not own.
  void end();
  // Where other heaps have not yet ended, whose memory is counted, too.
  void end_unchecked() { heap_.reset(); }

 private:
  struct Memory {
    size_t blocks;
    size_t mapped;
  };
  static Memory memory_now();
  void note_refusal(const Memory& before, size_t bytes);
  void look_at(void* block, size_t bytes, bool is_plain);
  size_t usable_of(void* block, size_t bytes);

  const Composition& composition_;
  Findings& findings_;
  size_t one_size_;
  size_t mapped_before_;
  size_t break_before_;
  std::unique_ptr<Subject> heap_;
  ShadowBlocks blocks_;
  bool may_refuse_;
  bool is_sized_turn_ = false;  // every other free says the size, where it can
  size_t refusals_ = 0;
};

}  // namespace mmt::layers::conformance

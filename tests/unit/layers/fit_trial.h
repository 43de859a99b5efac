// Random requests to a fit policy, and a ledger beside it: nothing overlaps, bytes are conserved,
// what owners write stays. Two of the same seed ask the same.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/source/reserved_heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers::fit {

using TrialSource = ReservedHeap<size_t{1} << 32>;
template <class Word>
using TrialArena = Arena<Word, TrialSource>;

inline constexpr Shape kWordShape{Header::kWord, 16, kPaperGrowth};
inline constexpr Shape kBareShape{Header::kNone, 16, kPaperGrowth};

template <class Policy>
class FitTrial {
 public:
  struct Live {
    Address at;
    size_t asked;
  };

  FitTrial(Policy& policy, uint64_t seed, bool writes = true)
      : policy_(policy), random_(seed), writes_(writes) {}

  // One request; the address that was given or freed.
  Address step() {
    // Grows for a while, then shrinks.
    const size_t frees = ++steps_ % 3000 < 1500 ? 40 : 56;
    if (live_.empty() || random_.below(100) >= frees) return allocate(any_size());
    return free_at(random_.below(live_.size()));
  }
  Address allocate(size_t asked) {
    const Address at = policy_.allocate(asked);
    EXPECT_NE(at, kNone) << "no memory for " << asked;
    if (at == kNone) return at;
    live_.push_back({at, asked});
    last_ = live_.back();
    if (writes_) fill(live_.back());
    return at;
  }
  Address free_at(size_t i) {
    last_ = live_[i];
    EXPECT_TRUE(!writes_ || is_intact(last_)) << "at " << last_.at;
    live_[i] = live_.back();
    live_.pop_back();
    policy_.free(last_.at, last_.asked);
    return last_.at;
  }
  void free_all() {
    while (!live_.empty()) free_at(random_.below(live_.size()));
  }

  // What is wrong; null: nothing. `own`: bytes of the arena that are in no chunk, at most.
  const char* fault(size_t own) const {
    if (const char* const broken = policy_.broken_invariant()) return broken;
    std::map<Address, Address> ends;
    size_t bytes = 0;
    const size_t header = policy_.shape().header_bytes(sizeof(typename Policy::Word));
    for (const Live& one : live_) {
      const size_t chunk = policy_.chunk_bytes(one.at, one.asked);
      if (one.at % policy_.shape().granule != 0) return "a block is not aligned";
      if (policy_.usable(one.at, one.asked) < one.asked) return "a block is too small";
      if (policy_.usable(one.at, one.asked) + header != chunk) return "sizes contradict";
      if (!ends.emplace(one.at - header, one.at - header + chunk).second) return "blocks coincide";
      bytes += chunk;
    }
    bool coincide = false;
    size_t free_chunks = 0;
    policy_.for_each_free([&](FreeChunk one) {
      coincide |= !ends.emplace(one.at, one.at + one.bytes).second;
      bytes += one.bytes;
      ++free_chunks;
    });
    if (coincide) return "a free chunk coincides with another";
    if (free_chunks != policy_.free_chunks()) return "not every free chunk is shown";
    Address before = policy_.arena().first();
    for (const auto& [at, end] : ends) {
      if (at < before) return "chunks overlap";
      before = end;
    }
    if (before > policy_.arena().end()) return "a chunk lies behind the arena";
    if (policy_.arena().end() - policy_.arena().first() - bytes > own) return "bytes are lost";
    return nullptr;
  }

  const std::vector<Live>& live() const { return live_; }
  const Live& last() const { return last_; }
  Random& random() { return random_; }
  size_t any_size() {
    const size_t kind = random_.below(100);
    if (kind < 50) return random_.below(120);
    if (kind < 90) return random_.below(1100);
    return random_.below(kind < 99 ? 9000 : 70000);
  }

 private:
  unsigned char* data(const Live& one) const {
    return static_cast<unsigned char*>(policy_.arena().pointer_to(one.at));
  }
  // All that may be used is.
  void fill(const Live& one) {
    std::memset(data(one), value(one), policy_.usable(one.at, one.asked));
  }
  bool is_intact(const Live& one) const {
    const size_t bytes = policy_.usable(one.at, one.asked);
    for (size_t i = 0; i < bytes; ++i) {
      if (data(one)[i] != value(one)) return false;
    }
    return true;
  }
  static unsigned char value(const Live& one) {
    return static_cast<unsigned char>(one.at / 4 * 151 + one.asked);
  }

  Policy& policy_;
  Random random_;
  bool writes_;
  size_t steps_ = 0;
  std::vector<Live> live_;
  Live last_{};
};

}  // namespace mmt::layers::fit

// What was written under one orec, to guess why transactions met there: the words of its holder,
// and of the last commits with their versions. Only the holder of the orec changes it; others read
// it only to guess, hence relaxed.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/stm/statistics.h>
#include <mmt/stm/world.h>

namespace mmt::stm {

// A word's stripe, and its bit among the words of that.
struct StripedWord {
  uint64_t stripe;
  uint64_t bit;

  StripedWord(const void* word, unsigned shift)
      : stripe(reinterpret_cast<uintptr_t>(word) >> shift),
        bit(uint64_t{1} << (reinterpret_cast<uintptr_t>(word) >> 3 &
                            ((uint64_t{1} << (shift - 3)) - 1))) {}
};

// All zero: nothing was written.
template <class World>
class WrittenWords {
 public:
  void begin() { set(held_, 0); }
  void add(StripedWord word) {
    const uint64_t count = held_.load(sync::kRelaxed);
    for (size_t i = 0; i < kStripes && i < count; ++i) {
      if (now_[i].stripe.load(sync::kRelaxed) != word.stripe) continue;
      set(now_[i].words, now_[i].words.load(sync::kRelaxed) | word.bit);
      return;
    }
    set(now_[count % kStripes].stripe, word.stripe);
    set(now_[count % kStripes].words, word.bit);
    set(held_, count + 1);
  }
  // The holder commits what it wrote. One that aborts says nothing.
  void commit(uint64_t version) {
    const uint64_t count = held_.load(sync::kRelaxed);
    for (size_t i = 0; i < kStripes && i < count; ++i) {
      const uint64_t next = committed_.load(sync::kRelaxed);
      auto& to = before_[next % kStripes];
      set(to.stripe, now_[i].stripe.load(sync::kRelaxed));
      set(to.words, now_[i].words.load(sync::kRelaxed));
      set(to.version, version);
      set(committed_, next + 1);
    }
  }
  // The versions begin anew.
  void forget() {
    if (committed_.load(sync::kRelaxed) == 0) return;
    for (auto& stripe : before_) set(stripe.version, 0);
  }

  // The cause of an abort that met the holder's lock.
  Cause of_holder(StripedWord word) const {
    Cause closest = Cause::kAlias;
    const uint64_t count = held_.load(sync::kRelaxed);
    for (size_t i = 0; i < kStripes && i < count; ++i) closer(now_[i], word, &closest);
    return closest;
  }
  // The cause of an abort that found the orec changed. Commits after `seen` changed it, or else the
  // holder, which may have written and taken that back.
  Cause since(uint64_t seen, StripedWord word) const {
    Cause closest = Cause::kAlias;
    bool any = false;
    for (const auto& stripe : before_) {
      if (stripe.version.load(sync::kRelaxed) <= seen) continue;
      any = true;
      closer(stripe, word, &closest);
    }
    return any ? closest : of_holder(word);
  }

 private:
  static constexpr size_t kStripes = 4;  // the last; earlier ones are not remembered
  using Number = typename World::template Atomic<uint64_t>;
  struct Stripe {
    Number stripe, words;
  };
  struct Committed : Stripe {
    Number version;
  };

  static void set(Number& number, uint64_t value) { number.store(value, sync::kRelaxed); }
  static void closer(const Stripe& stripe, StripedWord word, Cause* closest) {
    if (stripe.stripe.load(sync::kRelaxed) != word.stripe) return;
    const bool same = (stripe.words.load(sync::kRelaxed) & word.bit) != 0;
    const Cause cause = same ? Cause::kTrue : Cause::kStripe;
    if (cause < *closest) *closest = cause;
  }

  Number held_, committed_;  // stripes added by the holder, and by commits
  Stripe now_[kStripes];
  Committed before_[kStripes];
};

}  // namespace mmt::stm

// Holds what the threads of one transactional memory share: the choices, the orecs, the clock, and
// which threads run. Any thread may call it.
//
// The clock counts commits that wrote, as TL2's does (Dice, Shalev, Shavit, 2006). Under NOrec it
// is the sequence lock, odd while one writes. With a deferred clock a commit takes the version
// after the clock's and leaves the clock alone. Disjoint writers share a version, and a transaction
// that meets one from the future moves the clock there. This rests on a single order of all takings
// of locks, looks at locks and looks at the clock.
#pragma once

#include <cstdint>

#include <mmt/stm/epochs.h>
#include <mmt/stm/options.h>
#include <mmt/stm/orecs.h>
#include <mmt/stm/world.h>
#include <mmt/stm/written_words.h>

namespace mmt::stm {

inline constexpr sync::OrderSite kClockSeen{
    "clock.seen", std::memory_order_seq_cst,
    "kClockTick, kClockRaise: a snapshot has all commits up to its time, or meets their locks"};
inline constexpr sync::OrderSite kClockTick{
    "clock.tick", std::memory_order_seq_cst,
    "kClockSeen, kClockTick: the later commit sees the locks "
    "of the earlier when it validates"};
inline constexpr sync::OrderSite kClockRaise{"clock.raise", std::memory_order_seq_cst,
                                             "kClockSeen: a commit that does not see it had its "
                                             "locks before"};

template <class World>
struct Shared {
  using Clock = typename World::template Atomic<uint64_t>;

  explicit Shared(const Options& chosen) : options(chosen), orecs(chosen), attribution(chosen) {}

  // The time of a commit whose locks are taken.
  uint64_t tick() {
    if (options.deferred_clock) return clock.load(World::order(kClockSeen)) + 1;
    return clock.fetch_add(1, World::order(kClockTick)) + 1;
  }
  uint64_t now() const { return clock.load(World::order(kClockSeen)); }

  // The clock reaches `version`; not where the caller's fault is planted.
  template <Fault kFault = Fault::kBeginsAloneWithoutRaising>
  void raise(uint64_t version) {
    if constexpr (World::kPlanted == kFault) return;
    uint64_t seen = clock.load(sync::kRelaxed);
    while (seen < version && !clock.compare_exchange_strong(
                                 seen, version, World::order(kClockRaise), sync::kRelaxed)) {
    }
  }

  // The clock and all versions begin anew. The caller holds the gate, and nobody runs.
  void begin_anew() {
    orecs.reset();
    attribution.forget();
    clock.store(0, sync::kRelaxed);  // opening the gate publishes it
    roll_overs.store(roll_overs.load(sync::kRelaxed) + 1, sync::kRelaxed);
  }

  const Options options;
  Orecs<World> orecs;
  alignas(core::kNoSharing) Clock clock{};
  typename World::template Atomic<uint64_t> roll_overs{};
  Epochs<World> epochs;

  // It has an entry for each orec.
  class Attribution {
   public:
    using Written = WrittenWords<World>;

    explicit Attribution(const Options& chosen)
        : size_(size_t{1} << chosen.log2_orecs),
          table_(chosen.attribute_aborts ? World::template make_array<Written>(size_) : nullptr) {}
    Attribution(const Attribution&) = delete;
    Attribution& operator=(const Attribution&) = delete;
    ~Attribution() {
      if (table_ != nullptr) World::free_array(table_, size_);
    }
    bool on() const { return table_ != nullptr; }
    void forget() {
      for (size_t i = 0; on() && i < size_; ++i) table_[i].forget();
    }
    Written& operator[](size_t i) { return table_[i]; }

   private:
    const size_t size_;
    Written* const table_;
  } attribution;
};

}  // namespace mmt::stm

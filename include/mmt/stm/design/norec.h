// NOrec (Dalessandro, Spear, Scott, 2010): no orecs, so no aliasing. The clock is a sequence lock,
// odd while a commit writes. A transaction keeps the values that it read, and compares them
// whenever the clock has moved.
#pragma once

#include <mmt/stm/descriptor.h>

namespace mmt::stm {

inline constexpr sync::OrderSite kSequenceTake{"norec.take", std::memory_order_seq_cst,
                                               "kSequenceSeen: what follows is not part of the "
                                               "snapshot before"};
inline constexpr sync::OrderSite kSequenceFree{"norec.free", std::memory_order_release,
                                               "kSequenceSeen: what was written is known"};
inline constexpr sync::OrderSite kSequenceSeen{"norec.seen", std::memory_order_acquire,
                                               "kSequenceFree"};

template <class World>
struct Norec {
  using D = Descriptor<World>;
  using Word = typename World::Word;
  static constexpr bool kFastReads = false;

  static void begin(D& d) {
    uint64_t now = 0;
    World::wait_until([&] { return ((now = d.shared.now()) & 1) == 0; });
    d.end = now;
  }

  static bool read(D& d, const Word* at, Part part, uint64_t* out) {
    const uint32_t number = d.index.find(at);
    uint64_t have = 0;
    uint64_t value = 0;
    if (number != d.index.kNone) {
      have = d.writes[number].mask;
      value = d.writes[number].value & have;
    }
    if ((have & part.mask()) != part.mask()) {
      uint64_t seen = World::load(at, part);
      // Relaxed: the load of the value orders it, and the validation looks again.
      while (d.shared.clock.load(sync::kRelaxed) != d.end) {
        if (!extend(d)) return d.fail(Reason::kValidateRead, nullptr, at);
        seen = World::load(at, part);
      }
      if (d.keeps_reads && !d.values.push({at, seen, part})) return d.fail(Reason::kNoMemory);
      value |= seen & ~have;
    }
    *out = value;
    return true;
  }

  static bool write(D& d, Word* at, uint64_t value, uint64_t mask) {
    if (mask == 0) return true;  // there is nothing to lock
    const uint32_t number = d.index.find(at);
    if (number != d.index.kNone) {
      auto& write = d.writes[number];
      write.value = (write.value & ~mask) | (value & mask);
      write.mask |= mask;
      return true;
    }
    if (!d.writes.reserve() || !d.index.add(at, static_cast<uint32_t>(d.writes.size()))) {
      return d.fail(Reason::kNoMemory);
    }
    d.writes.push({at, value, mask, nullptr, 0, D::kNone, false});
    return true;
  }

  static bool commit(D& d) {
    if (d.writes.empty()) return true;
    for (;;) {
      uint64_t expected = d.end;
      if (d.shared.clock.compare_exchange_strong(expected, d.end + 1, World::order(kSequenceTake),
                                                 sync::kRelaxed)) {
        break;
      }
      if (!extend(d)) return d.fail(Reason::kValidateCommit);
    }
    d.cannot_be_undone();
    for (const auto& write : d.writes) World::store(write.at, write.value, write.mask);
    d.shared.clock.store(d.end + 2, World::order(kSequenceFree));
    return true;
  }

  static void roll_back(D&) {}

  static bool validate(D& d) { return extend(d); }

 private:
  // Moves the snapshot to the present, where all values are as they were read.
  static bool extend(D& d) {
    if (!d.keeps_reads) return false;
    uint64_t now = 0;
    do {
      World::wait_until(
          [&] { return ((now = d.shared.clock.load(World::order(kSequenceSeen))) & 1) == 0; });
      if constexpr (World::kPlanted != Fault::kForgetsToValidate) {
        for (const auto& read : d.values) {
          if (World::load(read.at, read.part) != read.value) return false;
        }
      }
    } while (d.shared.clock.load(sync::kRelaxed) != now);  // the loads of the values order it
    d.end = now;
    d.counts.extensions.add();
    return true;
  }
};

}  // namespace mmt::stm

// Write-back with encounter-time locking: a word's orec is locked at the first write, its value
// waits in the write set until the commit. A read of a locked word aborts. TinySTM has this design
// (Felber, Fetzer, Riegel, 2008).
#pragma once

#include <mmt/stm/design/time_based.h>

namespace mmt::stm {

template <class World>
struct WriteBackEncounter : TimeBased<World> {
  using Base = TimeBased<World>;
  using typename Base::D;
  using typename Base::Orec;
  using typename Base::Taken;
  using typename Base::Word;
  using typename Base::Write;
  static constexpr bool kFastReads = true;

  static bool read(D& d, const Word* at, Part part, uint64_t* out) {
    Orec& orec = d.orecs.of(at);
    const uint64_t seen = orec.load(sync::kRelaxed);  // if it is ours, we know
    if (Base::locked_by(d, seen)) {
      const Write* const write = Base::find(d, orec::entry(seen), at);
      const uint64_t have = write == nullptr ? 0 : write->mask;
      uint64_t value = write == nullptr ? 0 : write->value & have;
      if ((have & part.mask()) != part.mask()) value |= World::load(at, part) & ~have;
      *out = value;
      return true;
    }
    return Base::read_free(d, at, part, out, [](const Orec&, uint64_t) { return false; });
  }

  static bool write(D& d, Word* at, uint64_t value, uint64_t mask) {
    const auto lock = Base::take(d, at);
    if (lock.taken == Taken::kNo) return false;
    if (lock.taken == Taken::kBefore) {
      if (Write* const write = Base::find(d, lock.first, at)) {
        write->value = (write->value & ~mask) | (value & mask);
        write->mask |= mask;
        return true;
      }
      if (!d.writes.reserve()) return d.fail(Reason::kNoMemory);
    }
    Base::append(d, lock, at, value, mask);
    return true;
  }

  static bool commit(D& d) {
    if (d.writes.empty()) return true;
    uint64_t time = 0;
    if (!Base::time_of_commit(d, &time)) return false;
    Base::write_back(d);
    Base::release(d, time);
    return true;
  }

  static void roll_back(D& d) { Base::let_go(d); }
};

}  // namespace mmt::stm

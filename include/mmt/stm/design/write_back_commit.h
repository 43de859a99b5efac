// Write-back with commit-time locking: values wait in the write set, and locks are taken at commit
// only. A read of a word that a committing transaction has locked waits for a while. TL2 (Dice,
// Shalev, Shavit, 2006) locks so, too, but its snapshots are not extended.
#pragma once

#include <mmt/stm/design/time_based.h>

namespace mmt::stm {

template <class World>
struct WriteBackCommit : TimeBased<World> {
  using Base = TimeBased<World>;
  using typename Base::D;
  using typename Base::Orec;
  using typename Base::Word;
  using typename Base::Write;
  static constexpr bool kFastReads = true;  // until the first write

  static bool read(D& d, const Word* at, Part part, uint64_t* out) {
    const uint32_t number = d.index.find(at);
    const Write* write = number == d.index.kNone ? nullptr : &d.writes[number];
    if (write != nullptr && (write->mask & part.mask()) == part.mask()) {
      *out = write->value;
      return true;
    }
    uint64_t value = 0;
    int patience = World::kPatience;
    const auto wait = [&](const Orec&, uint64_t) {
      World::relax();
      return --patience > 0;
    };
    if (!Base::read_free(d, at, part, &value, wait)) return false;
    if (write != nullptr) value = (value & ~write->mask) | (write->value & write->mask);
    *out = value;
    return true;
  }

  static bool write(D& d, Word* at, uint64_t value, uint64_t mask) {
    d.set_fast_reads(false);
    const uint32_t number = d.index.find(at);
    if (number != d.index.kNone) {
      Write& write = d.writes[number];
      write.value = (write.value & ~mask) | (value & mask);
      write.mask |= mask;
      return true;
    }
    Orec& orec = d.orecs.of(at);
    if (!d.writes.reserve() || !d.index.add(at, static_cast<uint32_t>(d.writes.size()))) {
      return d.fail(Reason::kNoMemory);
    }
    d.writes.push({at, value, mask, &orec, 0, D::kNone, false});
    return true;
  }

  static bool commit(D& d) {
    if (d.writes.empty()) return true;
    for (size_t i = 0; i < d.writes.size(); ++i) {
      if (!lock(d, i)) return false;
    }
    uint64_t time = 0;
    if (!Base::time_of_commit(d, &time)) return false;
    Base::write_back(d);
    Base::release(d, time);
    return true;
  }

  static void roll_back(D& d) { Base::let_go(d); }

 private:
  static bool lock(D& d, size_t i) {
    Write& write = d.writes[i];
    Orec& orec = *write.orec;
    uint64_t seen = orec.load(World::order(kOrecSeen));
    for (;;) {
      if (orec::locked(seen)) {
        if (orec::owner(seen) != d.self) return d.fail(Reason::kLockedWrite, &orec, write.at);
        Base::note_written(d, orec, write.at, false);
        return true;
      }
      // Then the commit's own version is later, though its clock may not have seen this one.
      if (seen > d.newest && d.shared.options.deferred_clock) {
        d.shared.template raise<Fault::kLocksWithoutRaising>(orec::version(seen));
      }
      const uint64_t mine = orec::lock(d.self, i);
      write.before = seen;
      if (orec.compare_exchange_strong(seen, mine, World::order(kOrecLock), sync::kRelaxed)) {
        write.owns = true;
        Base::note_written(d, orec, write.at, true);
        return true;
      }
    }
  }
};

}  // namespace mmt::stm

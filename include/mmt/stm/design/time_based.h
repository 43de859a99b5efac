// What the three designs with orecs have in common: snapshots that are extended, validation, the
// taking of locks and their release. The snapshots are those of LSA (Riegel, Felber, Fetzer, 2006).
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/stm/descriptor.h>

namespace mmt::stm {

inline constexpr sync::OrderSite kOrecSeen{
    "orec.seen", std::memory_order_seq_cst,
    "kOrecFree: what was written under this version is known; kOrecLock, kClockSeen: of two that "
    "commit, one sees the other"};
inline constexpr sync::OrderSite kOrecLock{"orec.lock", std::memory_order_seq_cst,
                                           "kOrecSeen, kClockSeen, kClockTick"};
inline constexpr sync::OrderSite kOrecFree{"orec.free", std::memory_order_release,
                                           "kOrecSeen: the words under it are written"};

template <class World>
struct TimeBased {
  using D = Descriptor<World>;
  using Word = typename World::Word;
  using Orec = typename D::Orec;
  using Write = typename D::Write;

  static void begin(D& d) { d.set_end(d.shared.now()); }

  static bool locked_by(const D& d, uint64_t word) {
    return orec::locked(word) && orec::owner(word) == d.self;
  }

  // Nothing of what was read has changed since it was read.
  static bool validate(D& d) {
    for (const auto& read : d.reads) {
      uint64_t now = read.orec->load(World::order(kOrecSeen));
      if (locked_by(d, now)) now = d.writes[orec::entry(now)].before;
      if (now != read.seen) {
        d.contended = read.orec;
        d.about = nullptr;  // whichever of the words read under it
        return false;
      }
    }
    return true;
  }

  // Moves the snapshot to the present, where `orec`, which guards `at`, belongs.
  static bool extend(D& d, uint64_t seen, const Orec& orec, const Word* at) {
    if (d.shared.options.deferred_clock) {
      d.shared.template raise<Fault::kExtendsWithoutRaising>(orec::version(seen));
    }
    d.contended = &orec;
    d.about = at;
    if (!d.keeps_reads) return false;
    const uint64_t now = d.shared.now();
    if constexpr (World::kPlanted != Fault::kForgetsToValidate) {
      if (!validate(d)) return false;
    }
    d.set_end(now);
    d.counts.extensions.add();
    return true;
  }

  // Reads a word under an orec that this thread has not locked; `foreign` looks at one that another
  // has, and says whether to look again.
  template <class Foreign>
  static bool read_free(D& d, const Word* at, Part part, uint64_t* out, Foreign&& foreign) {
    Orec& orec = d.orecs.of(at);
    for (;;) {
      const uint64_t seen = orec.load(World::order(kOrecSeen));
      if (MMT_UNLIKELY(orec::locked(seen))) {
        if (foreign(orec, seen)) continue;
        return d.fail(Reason::kLockedRead, &orec, at);
      }
      const uint64_t value = World::load(at, part);
      // Relaxed: the load of the value orders it.
      if (orec.load(sync::kRelaxed) != seen) continue;
      if (seen > d.newest) {
        if (!extend(d, seen, orec, at)) {
          return d.fail(Reason::kValidateRead, d.contended, d.about);
        }
        continue;
      }
      if (d.keeps_reads && !keep(d, orec, seen, at)) return d.fail(Reason::kNoMemory);
      *out = value;
      return true;
    }
  }

  static bool keep(D& d, const Orec& orec, uint64_t seen, const Word* at) {
    if (MMT_UNLIKELY(d.shared.attribution.on()) && !d.read_words.push(at)) return false;
    d.last_read = nullptr;
    return d.reads.push({&orec, seen});
  }

  // The lock of a word. When it was ours before, `first` is the number of the first entry under it.
  // When it is taken now, the entry to come has it, `before` is what it was, and d.writes has room.
  enum class Taken : uint8_t { kNo, kNow, kBefore };
  struct Lock {
    Taken taken = Taken::kNo;
    Orec* orec = nullptr;
    size_t first = 0;
    uint64_t before = 0;
  };
  static Lock take(D& d, const Word* at) {
    Orec& orec = d.orecs.of(at);
    for (;;) {
      uint64_t seen = orec.load(World::order(kOrecSeen));
      if (orec::locked(seen)) {
        if (orec::owner(seen) == d.self) return {Taken::kBefore, &orec, orec::entry(seen)};
        d.fail(Reason::kLockedWrite, &orec, at);
        return {};
      }
      if (seen > d.newest && !extend(d, seen, orec, at)) {
        d.fail(Reason::kValidateWrite, d.contended, d.about);
        return {};
      }
      if (!d.writes.reserve()) {
        d.fail(Reason::kNoMemory);
        return {};
      }
      const Lock lock{Taken::kNow, &orec, 0, seen};
      const uint64_t mine = orec::lock(d.self, d.writes.size());
      if (orec.compare_exchange_strong(seen, mine, World::order(kOrecLock), sync::kRelaxed)) {
        note_written(d, orec, at, true);
        return lock;
      }
    }
  }

  // An entry for a word, for which there is room, and its place among those of its orec.
  static void append(D& d, Lock lock, Word* at, uint64_t value, uint64_t mask) {
    uint32_t next = D::kNone;
    if (lock.taken == Taken::kBefore) {
      next = d.writes[lock.first].next;
      d.writes[lock.first].next = static_cast<uint32_t>(d.writes.size());
      note_written(d, *lock.orec, at, false);
    }
    const bool owns = lock.taken == Taken::kNow;
    d.writes.push_reserved({at, value, mask, lock.orec, lock.before, next, owns});
  }

  // The first entry of this word among those under a lock of ours; null where there is none.
  static Write* find(D& d, size_t first, const Word* at) {
    for (size_t i = first; i != D::kNone; i = d.writes[i].next) {
      if (d.writes[i].at == at) return &d.writes[i];
    }
    return nullptr;
  }

  // The commit's time, when its snapshot holds until then.
  static bool time_of_commit(D& d, uint64_t* time) {
    *time = d.shared.tick();
    const bool undisturbed = !d.shared.options.deferred_clock && d.end + 1 == *time;
    if constexpr (World::kPlanted != Fault::kForgetsToValidate) {
      if (!undisturbed && !validate(d)) return d.fail(Reason::kValidateCommit, d.contended);
    }
    return true;
  }

  static void write_back(D& d) {
    d.cannot_be_undone();
    for (const Write& write : d.writes) {
      if (write.mask != 0) World::store(write.at, write.value, write.mask);
    }
  }
  static void release(D& d, uint64_t time) {
    for (const Write& write : d.writes) {
      if (!write.owns) continue;
      if (MMT_UNLIKELY(d.shared.attribution.on())) {
        d.shared.attribution[d.shared.orecs.number_of(*write.orec)].commit(time);
      }
      write.orec->store(orec::of_version(time), World::order(kOrecFree));
    }
  }
  // As they were: nothing was written under them.
  static void let_go(D& d) {
    for (const Write& write : d.writes) {
      if (write.owns) write.orec->store(write.before, World::order(kOrecFree));
    }
  }

  static void note_written(D& d, const Orec& orec, const Word* at, bool first) {
    if (MMT_LIKELY(!d.shared.attribution.on())) return;
    auto& written = d.shared.attribution[d.shared.orecs.number_of(orec)];
    if (first) written.begin();
    written.add(StripedWord(at, d.shared.orecs.shift()));
  }
};

}  // namespace mmt::stm

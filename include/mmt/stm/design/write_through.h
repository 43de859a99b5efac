// Write-through: a word's orec is locked at the first write, and the value goes to memory at once;
// the write set keeps what was there. An abort puts it back, and gives the orec a new incarnation,
// so that a reader that was between its two looks notices. TinySTM has this design (Felber, Fetzer,
// Riegel, 2008).
#pragma once

#include <atomic>

#include <mmt/stm/design/time_based.h>

namespace mmt::stm {

template <class World>
struct WriteThrough : TimeBased<World> {
  using Base = TimeBased<World>;
  using typename Base::D;
  using typename Base::Orec;
  using typename Base::Taken;
  using typename Base::Word;
  using typename Base::Write;
  static constexpr bool kFastReads = true;

  static bool read(D& d, const Word* at, Part part, uint64_t* out) {
    if (Base::locked_by(d, d.orecs.of(at).load(sync::kRelaxed))) {
      *out = World::load(at, part);
      return true;
    }
    return Base::read_free(d, at, part, out, [](const Orec&, uint64_t) { return false; });
  }

  static bool write(D& d, Word* at, uint64_t value, uint64_t mask) {
    const auto lock = Base::take(d, at);
    if (lock.taken == Taken::kNo) return false;
    if (lock.taken != Taken::kBefore || !keeps(d, lock.first, at, mask)) {
      if (!d.writes.reserve()) return d.fail(Reason::kNoMemory);
      // The lock is in the log before the word is touched, which may fault.
      Base::append(d, lock, at, 0, 0);
      std::atomic_signal_fence(std::memory_order_seq_cst);
      // Bytes that are not ours are not read.
      d.writes.back().value = load(at, mask);
      d.writes.back().mask = mask;
    }
    if (mask != 0) World::store(at, value, mask);
    return true;
  }

  static bool commit(D& d) {
    if (d.writes.empty()) return true;
    uint64_t time = 0;
    if (!Base::time_of_commit(d, &time)) return false;
    Base::release(d, time);
    return true;
  }

  static void roll_back(D& d) {
    d.cannot_be_undone();
    for (size_t i = d.writes.size(); i-- > 0;) {
      const Write& write = d.writes[i];
      if (write.mask != 0) World::store(write.at, write.value, write.mask);
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
    d.active = true;
    for (const Write& write : d.writes) {
      if (!write.owns) continue;
      uint64_t after = orec::next_incarnation(write.before);
      if (orec::incarnation(write.before) == orec::kIncarnations - 1) {
        // Whoever locks it next raises a deferred clock to this version.
        after = orec::of_version(d.shared.tick());
      }
      write.orec->store(after, World::order(kOrecFree));
    }
  }

 private:
  // Whether what was there is in the log for each of these bytes, under a lock of ours. So a word
  // has no more than eight entries, however its parts are written in turn.
  static bool keeps(const D& d, size_t first, const Word* at, uint64_t mask) {
    for (size_t i = first; i != D::kNone; i = d.writes[i].next) {
      if (d.writes[i].at != at) continue;
      mask &= ~d.writes[i].mask;
      if (mask == 0) return true;
    }
    return false;
  }

  static uint64_t load(const Word* at, uint64_t mask) {
    if (mask == 0) return 0;
    const auto first = static_cast<unsigned>(__builtin_ctzll(mask)) / 8;
    const auto bytes = static_cast<unsigned>(__builtin_popcountll(mask)) / 8;
    // A mask is that of a part.
    const unsigned at_byte = std::endian::native == std::endian::little ? first : 8 - first - bytes;
    return World::load(at, Part{static_cast<uint8_t>(at_byte), static_cast<uint8_t>(bytes)});
  }
};

}  // namespace mmt::stm

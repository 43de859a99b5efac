// One bit a client: "look at my channel". Clients ring after publishing; the server collects the
// bits and looks only there.
//
// Protocol. A client publishes work, then rings. The server clears the bits, then looks at the
// channels of those it found set, until each is empty (or keeps the bit, see keep()).
// Promise: work published before ring(i) is seen by the server's look after some for_each_rung
// that names i; also when ring found the bit set and wrote nothing.
// All zero is valid: nobody has rung.
#pragma once

#include <bit>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kDoorbellSkip{
    "doorbell.skip", std::memory_order_seq_cst,
    "kDoorbellCollect: either the client finds the bit cleared and sets it again, or the server "
    "that clears it finds the client's work (Dekker: work then bit, bit then work)"};
inline constexpr OrderSite kDoorbellRing{
    "doorbell.ring", std::memory_order_release,
    "kDoorbellCollect, an acquire fence too: who reads the bit sees the work published before it"};
inline constexpr OrderSite kDoorbellCollect{
    "doorbell.collect", std::memory_order_seq_cst,
    "kDoorbellSkip and kDoorbellRing: the bits are cleared before the channels are read"};

template <uint32_t kClients = 1024, class Sync = RealSync>
class Doorbell {
 public:
  static constexpr uint32_t kWords = (kClients + 63) / 64;

  // Client, after publishing; i < kClients. True when the bit was not set: the server may be
  // asleep then, and the caller goes on with Parker::wake_if_parked().
  bool ring(uint32_t i) {
    auto& word = words_[i / 64];
    const uint64_t bit = uint64_t{1} << (i % 64);
    // Relaxed: a bit seen clear is set by the RMW; a bit seen set counts only after the fence.
    if ((word.load(kRelaxed) & bit) != 0) {
      Sync::fence(kDoorbellSkip);
      if ((word.load(kRelaxed) & bit) != 0) return false;
    }
    return (word.fetch_or(bit, Sync::order(kDoorbellRing)) & bit) == 0;
  }

  // Server. Calls visit(i) for every client that rang, having cleared its bit.
  template <class Visit>
  void for_each_rung(Visit&& visit) {
    for (uint32_t w = 0; w < kWords; ++w) {
      // Relaxed: a bit missed now is found next time, and no round is the last before Parker's
      // fence. The load keeps a quiet line shared.
      if (words_[w].load(kRelaxed) == 0) continue;
      uint64_t bits = words_[w].exchange(0, kRelaxed);  // ordered by the fence
      Sync::fence(kDoorbellCollect);
      for (; bits != 0; bits &= bits - 1) {
        visit(w * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
      }
    }
  }

  // Server: it has not finished with client i and will come back.
  void keep(uint32_t i) {
    // Relaxed: the server itself collects the bit again.
    words_[i / 64].fetch_or(uint64_t{1} << (i % 64), kRelaxed);
  }

  // Before a server starts: rings for everybody, so that its first look is at every channel. One
  // that ended (fork's child has none) may have cleared bits and not looked.
  void ring_all() {
    for (uint32_t w = 0; w < kWords; ++w) {
      const uint32_t last = kClients - w * 64;  // clients from this word on
      const uint64_t bits = last >= 64 ? ~uint64_t{0} : (uint64_t{1} << last) - 1;
      words_[w].fetch_or(bits, kRelaxed);  // as keep()
    }
  }

  // Is any bit set? Relaxed: before sleeping, ask between Parker's begin_park and commit_park.
  bool any_rung() const {
    for (uint32_t w = 0; w < kWords; ++w) {
      if (words_[w].load(kRelaxed) != 0) return true;
    }
    return false;
  }

 private:
  typename Sync::template Atomic<uint64_t> words_[kWords]{};
};

}  // namespace mmt::sync

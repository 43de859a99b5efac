// How a server rests that has found no work. A park() lasts until a client wakes the server. A
// rest() does what the server's ladder decides: one spin, one nap, or a park. The server makes the
// park itself, as only it knows where to look for work once more. The server's thread.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/ladder.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

enum class Parked : uint8_t { kStayedAwake, kWoken, kNotWoken };

// Goes through one whole turn of parker.h's states. `last_look` is asked once clients can see the
// server parked: true keeps it awake. It sleeps `most_ns` at most, and `unsure_ns` where a wake-up
// can be missed.
template <class ParkerType, class LastLook, class Sleep>
Parked park(ParkerType& parker, int64_t most_ns, int64_t unsure_ns, LastLook&& last_look,
            Sleep&& sleep) {
  const bool is_sure = parker.begin_park();
  if (last_look()) {
    parker.cancel_park();
    return Parked::kStayedAwake;
  }
  return parker.commit_park(is_sure ? most_ns : unsure_ns, sleep) ? Parked::kWoken
                                                                  : Parked::kNotWoken;
}

// Makes one such step. `now_ns` is a time of the clock that the ladder is told of.
template <class ParkerType, class Park>
void rest(Ladder& ladder, ParkerType& parker, uint64_t now_ns, Park&& park) {
  switch (ladder.idle(now_ns)) {
    case Ladder::Step::kSpin:
      return core::cpu_relax();
    case Ladder::Step::kNap:
      return parker.nap(ladder.nap_ns());
    case Ladder::Step::kPark:
      return park();
  }
}

}  // namespace mmt::sync

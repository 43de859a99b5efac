// An idle server's next rest, as its ladder decides: one spin, one nap, or park(), which is the
// server's own, as only it knows where to look for work once more (sync/parker.h). The server's
// thread.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/ladder.h>

namespace mmt::sync {

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

#pragma once
// Goes before the plain heap's: what waits in the thread's quarantine leaves it.
#include "harden/quarantine.h"
#include "harden/seal.h"

namespace mmt::heap {

struct ThreadEnds {
  explicit ThreadEnds(Heap& heap) { harden::end_quarantine(heap); }

 private:
  const harden::SealedAgain sealed_;
};

}  // namespace mmt::heap

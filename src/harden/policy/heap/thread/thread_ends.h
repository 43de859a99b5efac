#pragma once
// Goes before the plain heap's: what waits in the thread's quarantine leaves it.
#include "harden/quarantine.h"

namespace mmt::heap {

struct ThreadEnds {
  static void seen(Heap& heap) { harden::end_quarantine(heap); }
};

}  // namespace mmt::heap

// A probe that counts what it is told.
#pragma once

#include <cstddef>

#include <mmt/layers/fit/probe.h>

namespace mmt::layers::fit {

struct TreeProbe {
  size_t visits = 0;
  size_t rebalancing = 0;
  size_t joined = 0;
  size_t splits = 0;

  void visited(size_t n = 1) { visits += n; }
  void rebalanced(size_t n = 1) { rebalancing += n; }
  void coalesced(size_t n) { joined += n; }
  void split() { ++splits; }
  static void grew(size_t) {}
  static void touched(size_t, size_t) {}

  // Since the last time.
  size_t take_visits() {
    const size_t taken = visits;
    visits = 0;
    return taken;
  }
};
static_assert(FitProbe<TreeProbe>);

}  // namespace mmt::layers::fit

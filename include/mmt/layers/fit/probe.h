#pragma once
// What a fit policy tells of its work. A policy calls its arena's probe at each step; NoProbe
// compiles to nothing, the simulator's counts.
#include <concepts>
#include <cstddef>

namespace mmt::layers::fit {

template <class P>
concept FitProbe = requires(const P& probe, P& mutable_probe, size_t n) {
  // A node was looked at: by a search for memory, or for the place of what is freed. The caller
  // knows which of both is under way.
  mutable_probe.visited(n);
  // Nodes that were looked at to keep a tree balanced, or its maxima right.
  mutable_probe.rebalanced(n);
  // What was freed, or grown, has been joined with so many neighbours (1 or 2; not called for 0).
  mutable_probe.coalesced(n);
  // A chunk was cut in two.
  mutable_probe.split();
  // The arena has so many bytes more.
  mutable_probe.grew(n);
  // A field of metadata was read or written.
  probe.touched(n, n);
};

struct NoProbe {
  static void visited(size_t = 1) {}
  static void rebalanced(size_t = 1) {}
  static void coalesced(size_t) {}
  static void split() {}
  static void grew(size_t) {}
  static void touched(size_t, size_t) {}
};
static_assert(FitProbe<NoProbe>);

}  // namespace mmt::layers::fit

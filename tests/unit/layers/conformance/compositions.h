// The compositions that the suite is run on: every layer occurs in at least one
// (layers_named_test.py), in each role that it can play. A file for each folder of layers.
#pragma once

#include <vector>

#include "unit/layers/conformance/subject.h"

namespace mmt::layers::conformance {

using Compositions = std::vector<Composition>;

void add_sources(Compositions& all);
void add_fit(Compositions& all);
void add_headers(Compositions& all);
void add_combine(Compositions& all);
void add_adapt(Compositions& all);
void add_observe(Compositions& all);
void add_special(Compositions& all);
void add_thread(Compositions& all);
void add_general(Compositions& all);
void add_offload(Compositions& all);

inline Compositions all_compositions() {
  Compositions all;
  for (const auto add : {add_sources, add_fit, add_headers, add_combine, add_adapt, add_observe,
                         add_special, add_thread, add_general, add_offload}) {
    add(all);
  }
  return all;
}

}  // namespace mmt::layers::conformance

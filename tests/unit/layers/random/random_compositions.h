// The random compositions, in files that compositions.py writes when the tests are built.
#pragma once

#include "unit/layers/conformance/compositions.h"

namespace mmt::layers::conformance {

void add_random_0(Compositions& all);
void add_random_1(Compositions& all);
void add_random_2(Compositions& all);
void add_random_3(Compositions& all);
void add_random_4(Compositions& all);
void add_random_5(Compositions& all);
void add_random_6(Compositions& all);
void add_random_7(Compositions& all);

}  // namespace mmt::layers::conformance

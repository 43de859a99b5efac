// Goes before the heap's own: a check that notes what it sees. See inspection_test.cpp.
#pragma once

#include "offload/inspection_list.h"

namespace mmt::test {

struct SeenBlocks {
  static void see(offload::Heap& heap, const offload::Batch& batch);
};

}  // namespace mmt::test

namespace mmt::offload {

using Inspections = InspectionList<test::SeenBlocks>;

}  // namespace mmt::offload

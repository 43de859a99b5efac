// Goes before the heap's own: a check that notes what it sees. See inspection_test.cpp.
#pragma once

#include "heap/gates/inspection_list.h"

namespace mmt::test {

struct SeenBlocks {
  static void see(heap::Heap& heap, const heap::Batch& batch);
};

}  // namespace mmt::test

namespace mmt::heap {

using Inspections = InspectionList<test::SeenBlocks>;

}  // namespace mmt::heap

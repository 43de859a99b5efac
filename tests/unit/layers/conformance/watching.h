// Observing layers set up for the suite: a DebugHeap that complains to the ledger, a TraceHeap
// whose trace nobody reads.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/observe/trace_heap.h>
#include <mmt/layers/pipe.h>

#include "unit/layers/conformance/ledger.h"

namespace mmt::layers::conformance {

// The suite makes no fault but leaks, where it leaves blocks to the end of the heap.
struct Complaining {
  void operator()(const FaultReport& report) const {
    if (report.kind != FaultKind::kLeak) Ledger::complain(name_of(report.kind), report.block);
  }
};
template <size_t kQuarantine = 1000>
using Watching = Debug<Complaining, kQuarantine>;

// A trace that nobody reads.
template <class Super>
class DiscardHeap : public Super {
 public:
  DiscardHeap() : descriptor_(open("/dev/null", O_WRONLY | O_CLOEXEC)) {
    this->write_to(descriptor_);
  }
  ~DiscardHeap() {
    this->flush();
    this->write_to(-1);
    close(descriptor_);
  }

 private:
  int descriptor_;
};
template <bool kPlaces>
using Traced = Stack<Trace<kPlaces>, Stage<DiscardHeap>>;

}  // namespace mmt::layers::conformance

#include "unit/layers/conformance/fault_plan.h"

#include <atomic>

namespace mmt::layers::conformance {
namespace {

FaultPlan current;
std::atomic<size_t> calls{0};

}  // namespace

void set_faults(FaultPlan plan) {
  current = plan;
  calls = 0;
}

size_t fault_calls() { return calls; }

bool call_fails() {
  const size_t number = ++calls;
  if (current.first == 0 || number < current.first) return false;
  const size_t after = number - current.first;
  return after == 0 || (current.every != 0 && after % current.every == 0);
}

}  // namespace mmt::layers::conformance

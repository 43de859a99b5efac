// One run of the workload in a process of its own, with chosen calls failing.
#pragma once

#include <map>
#include <string>

#include "sys/fake/faults.h"
#include "unit/out_of_memory/workload.h"

namespace mmt::out_of_memory {

struct SiteCount {
  uint32_t calls;
  uint32_t failed;
};

struct Outcome {
  std::string problem;  // empty: everything held
  std::map<sys::fake::SiteId, SiteCount> sites;
};

// Crashes and hangs are problems too. By one thread of a process that has no other, and whose own
// heap is closed.
Outcome run_injected(Setting setting, const sys::fake::Plan& plan);

}  // namespace mmt::out_of_memory

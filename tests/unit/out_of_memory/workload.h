// What a program does with the heap, such that every call of the OS contract for memory is made.
// To be run in a process whose heap has not been opened yet.
#pragma once

#include <atomic>

#include "sys/fake/faults.h"

namespace mmt::out_of_memory {

// Options under which the heap is opened.
enum class Setting {
  kServed,     // with a memory thread, huge pages ahead of the frontier from some size on
  kHugePages,  // the same, the heap on huge pages from its first byte on
  kDirect,     // without a memory thread
  kCount
};

const char* name_of(Setting setting);

// Runs the workload while `faults` are as they were armed; then disarms them, and runs it once
// more, when nothing may be refused. At the end nothing may be in use. *step tells where it stands.
// What does not hold ends the process with status 1.
void run_workload(Setting setting, sys::fake::Faults* faults, std::atomic<const char*>* step);

}  // namespace mmt::out_of_memory

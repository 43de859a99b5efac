// `mmt trace --java`: runs a Java program with the agent in its machine, and writes its trace.
#pragma once

#include <cstdint>
#include <string>

#include "programs/command.h"

namespace mmt::tracing {

struct JavaTrace {
  std::string output;            // empty: the program's name and ".mtr"
  uint64_t precision = 1 << 20;  // bytes of allocation after which a death is known at the latest
  bool quiet = false;
};

// The bytes that a text such as "65536", "256K" or "1M" names. Throws a Failure (125).
uint64_t bytes_of_precision(const std::string& text);

// The words that put the agent into the machine: behind the program's name where that is `java`.
// C2 is kept out, since it removes allocations that a program makes.
programs::Command with_agent(const programs::Command& command, const std::string& options);

// Returns the program's exit status, or 125 where that is 0 and the trace could not be written
// whole. Ends as the program did where a signal ended it. Throws a Failure.
int record_java(const JavaTrace& trace, const programs::Command& command);

}  // namespace mmt::tracing

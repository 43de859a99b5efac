// `mmt trace -- program`: the program runs as a child, with libmmt-trace.so in front of whatever
// serves its malloc.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "programs/allocator_choice.h"
#include "programs/command.h"
#include "tracing/recording.h"

namespace mmt::tracing {

struct RecordOptions {
  std::string output;  // empty: the program's name and ".mtr"
  // Tells what is to serve the program's malloc, once it is known that there is a program. Empty:
  // what serves it anyway.
  std::function<programs::AllocatorChoice()> allocator;
  RecordingLimits limits;
  bool has_sites = false;
  bool no_follow = false;
  bool quiet = false;
};

// Ends as the program has ended: returns its exit status, or ends by the same signal. Throws a
// Failure (125) where it could not be recorded, before the program is started.
int record_program(const RecordOptions& options, const programs::Command& command);

}  // namespace mmt::tracing

// The files of one recording: the one that was asked for, and those beside it when there were
// several processes (docs/trace_format.md).
#pragma once

#include <string>
#include <vector>

#include "tracing/unrecorded.h"

namespace mmt::tracing {

struct RecordedProcess;

// What there is of a recording, in the order in which processes ended.
struct RecordedFiles {
  std::vector<RecordedProcess>& whole;
  std::vector<RecordedProcess>& failed;
  std::vector<Unrecorded::Program> unrecorded;
};

// Throws a Failure (125) when there cannot be a trace. What is there stays as it is.
void check_trace_output(const std::string& output);

// "F.4711.mtr" for "F.mtr"; "F.4711.2.mtr" for another program in the same process.
std::string trace_file_of(const std::string& output, int process, int images);

// The first of the processes is written to `output` itself. If there are others, recorded or not,
// it moves beside it, and the list takes its place. If there are none, an empty trace does. Throws
// std::runtime_error.
void finish_trace_files(const std::string& output, RecordedFiles files);

}  // namespace mmt::tracing

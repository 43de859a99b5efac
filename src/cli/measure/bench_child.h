// One measured run of one program, from exec to the end of its last thread.
//
// The program alone is measured. The clock starts right before exec. CPU time and faults are those
// of wait4(2), which count all threads and all children that the program waited for.
// Peak RSS is wait4's too. A process inherits the peak of the image that called exec. So the child
// is made by fork(2), whose copy holds only the few private pages of this small program. The call
// rss_floor() tells below which size nothing can be seen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/process_maps.h"

namespace mmt::cli {

struct ChildSpec {
  std::string path;                      // the file to execute
  std::vector<std::string> arguments;    // with the name of the program in front
  std::vector<std::string> environment;  // "NAME=value", all of it
  std::string input = "/dev/null";
  std::string output = "/dev/null";
  std::string errors = "/dev/null";
  // Descriptors of this process in place of the two files above, -1: none.
  int output_descriptor = -1;
  int errors_descriptor = -1;
  std::vector<int> cpus;  // to be bound to, empty: any
  double time_limit = 600;
  bool is_text = false;  // may be one without #!, which the shell runs
  // Look at the files mapped when the program ends. Slows its end a little: not for timed runs.
  bool observe_files = false;
};

struct ChildResult {
  int status = 0;  // as of wait4(2)
  bool timed_out = false;
  double wall = 0;      // seconds
  double cpu = 0;       // seconds, user and system
  double system = 0;    // seconds of them in the kernel
  double peak_rss = 0;  // bytes
  double minor_faults = 0;
  double major_faults = 0;
  std::vector<programs::MappedFile> files;
};

// Runs to the end, killing the program's process group when it exceeds its time or when the user
// interrupts. Throws a Failure when the program cannot be started or an interrupt came.
ChildResult run_child(const ChildSpec& spec);

// Bytes of peak RSS that every child shows at least.
double rss_floor();

// While it lives, SIGINT, SIGTERM and SIGHUP make run_child() clean up and throw instead of ending
// this process. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

}  // namespace mmt::cli

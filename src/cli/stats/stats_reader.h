// Reads the statistics page of a process that runs under MMT, from outside: the process is neither
// stopped nor asked. docs/statistics.md describes the page.
//
// Every process that maps a file named libmmt.so is read so. Each step is bounded, but not how long
// the kernel takes to read memory that another process answers for. See command/in_time.h.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "command/failure.h"

namespace mmt::cli {

// This user may not look into the process.
class NotAllowed : public command::Failure {
 public:
  using Failure::Failure;
};

class StatsReader {
 public:
  // Finds the page. Throws a Failure that says why not: no such process, no permission, a process
  // without the library, a library of another version. `is_patient`: waits for one that is being
  // started; else it is one of many.
  StatsReader(pid_t process, bool is_patient);

  // A consistent copy of the values, in the order of kStatFields; empty when the process has ended
  // since. Follows it through exec. Throws a Failure when it cannot be read or cannot be true.
  std::vector<std::uint64_t> read();

  pid_t process() const { return process_; }
  const std::string& program() const { return program_; }
  const std::string& library() const { return library_; }

 private:
  void locate();
  std::vector<std::uint64_t> figures() const;
  std::vector<std::uint64_t> read_page() const;
  void raise_peaks(std::vector<std::uint64_t>& values) const;

  pid_t process_;
  bool is_patient_;
  pid_t task_ = 0;       // a thread of it that still has its memory
  std::string program_;  // its name as the kernel knows it
  std::string library_;
  std::uint64_t page_ = 0;
  std::uint64_t peaks_ = 0;  // of the pointer to them; 0: the library does not have it
};

// True for a process that is gone, or waits for its parent only.
bool has_ended(pid_t process);

}  // namespace mmt::cli

// Reads the statistics page of a process that runs under MMT, from outside: the process is neither
// stopped nor asked. docs/statistics.md describes the page.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mmt::cli {

class StatsReader {
 public:
  // Finds the page. Throws a Failure that says why not: no such process, no permission, a process
  // without the library, a library of another version.
  explicit StatsReader(pid_t process);

  // A consistent copy of the values, in the order of kStatFields; empty when the process has ended
  // since. Follows it through exec. Throws a Failure when it cannot be read.
  std::vector<std::uint64_t> read();

  pid_t process() const { return process_; }
  const std::string& program() const { return program_; }
  const std::string& library() const { return library_; }

 private:
  void locate();
  std::vector<std::uint64_t> read_page() const;
  void raise_peaks(std::vector<std::uint64_t>& values) const;

  pid_t process_;
  pid_t task_ = 0;       // a thread of it that still has its memory
  std::string program_;  // its name as the kernel knows it
  std::string library_;
  std::uint64_t page_ = 0;
  std::uint64_t peaks_ = 0;  // of the pointer to them; 0: the library does not have it
};

}  // namespace mmt::cli

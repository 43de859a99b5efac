// Whether recorded processes still run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace mmt::tracing {

// The inode of this process's pid namespace, which tells namespaces apart; 0: not known.
std::uint64_t own_pid_space();
std::uint64_t pid_space_of(pid_t process);

// Takes a process of the own pid namespace. A zombie has ended, unless other threads of it run.
bool is_running(pid_t process);

// As the kernel names it, at most 15 bytes; empty: it has gone.
std::string name_of(pid_t process);

// Bytes of address space that it has had at most (VmPeak); 0: not known.
std::uint64_t most_memory_of(pid_t process);

// Processes of pid namespaces below the own one, by the ids that they have there. A look at all of
// /proc: not for every day.
class RunningBelow {
 public:
  void look();
  // Where that cannot be told, true.
  bool contains(std::uint64_t pid_space, pid_t process) const;

 private:
  bool is_blind_ = true;
  std::set<std::pair<std::uint64_t, pid_t>> known_;
  std::set<pid_t> of_unknown_space_;
};

}  // namespace mmt::tracing

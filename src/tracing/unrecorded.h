// Finds programs below `mmt trace` that do not record: libmmt-trace.so has not been loaded into
// them, or could not send what it records in. Such programs are linked statically, or have an
// environment, a root folder or a /dev/shm of their own. Others have rights that forbid it, or too
// little memory to map a pool. One that lives for less than two looks is not noticed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mmt::tracing {

class Unrecorded {
 public:
  struct Program {
    pid_t process = 0;
    pid_t parent = 0;  // 0: the recorder itself
    std::string command;
  };

  // What a program records in: device and inode, as /proc tells of them.
  void add_pool(const std::string& identity) { pools_.insert(identity); }

  // At what runs below this process, but for its children that are no part of the program.
  void look(const std::set<pid_t>& others);
  // It has told of itself: it had only not come as far.
  void has_told(pid_t process);
  std::vector<Program> programs() const;

 private:
  // What is executed: device and inode.
  using Image = std::pair<std::uint64_t, std::uint64_t>;
  enum class State { kRecorded, kSuspect, kUnrecorded };
  struct Running {
    Image image;
    State state;
    int looks = 0;  // that have not seen the pool
  };
  struct Found {
    Image image;
    Program program;
  };

  static Image image_of(pid_t process);
  // Looks that a program may have without having mapped the pool. 0: it has.
  int patience_with(pid_t process) const;
  void look_at(pid_t process, pid_t parent);

  std::set<std::string> pools_;
  std::map<pid_t, Running> running_;  // by the last look
  std::vector<Found> found_;
};

}  // namespace mmt::tracing

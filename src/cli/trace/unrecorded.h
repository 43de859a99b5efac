// Programs below `mmt trace` that libmmt-trace.so has not been loaded into: they are linked
// statically, see another root folder, or have rights that forbid it. One that lives for less than
// two looks is not noticed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mmt::cli {

class Unrecorded {
 public:
  struct Program {
    pid_t process = 0;
    pid_t parent = 0;  // 0: the recorder itself
    std::string command;
  };

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
  };
  struct Found {
    Image image;
    Program program;
  };

  static Image image_of(pid_t process);
  void look_at(pid_t process, pid_t parent);

  std::map<pid_t, Running> running_;  // by the last look
  std::vector<Found> found_;
};

}  // namespace mmt::cli

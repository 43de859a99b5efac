// Waits for a program as its parent, so that nobody notices. Signals, job control, exit status and
// standard streams are as if the program had been started itself.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <set>

namespace mmt::programs {

// Children of this thread, orphans that it has been given included; none where the kernel does not
// tell. Children of a shell that became this process by exec are no part of the program.
std::set<pid_t> own_children();

struct Ending {
  pid_t process = 0;
  bool is_started = false;  // false: the program could not be executed; it has been told why
  int status = 0;           // as of waitpid
  double seconds = 0;
  // Holds times, faults, and the largest peak of one process. It counts the program and all its
  // descendants that have been waited for.
  rusage usage{};
};

// Starts a process that calls `become`, which executes the program or throws a Failure, and waits
// until it ends. Meanwhile:
//   - what others send to this process is sent on; what the terminal sends reaches both anyway;
//   - when the program stops, this process stops too, and goes on with it;
//   - orphans of the program become our children, and are reaped; they are not waited for;
//   - standard input and output are let go, so that their other ends see them closed in time.
// `news` is a descriptor, or -1; `on_news` is called when it can be read.
Ending supervise(const std::function<void()>& become, int news,
                 const std::function<void()>& on_news);

// Ends this process as the program has ended: by the same signal, without a core of its own.
[[noreturn]] void end_like(int status);

}  // namespace mmt::programs

// Stops a child, and what it starts, on the way out, where ptrace is refused as in plain
// containers. It does so by a filter of system calls of its own, whose listener is asked. For runs
// that are not timed.
#pragma once

namespace mmt::cli {

class ExitWatch {
 public:
  // Between parent and child; before the fork. Without it, or without such filters, nobody is
  // stopped.
  ExitWatch();
  ~ExitWatch();
  ExitWatch(const ExitWatch&) = delete;
  ExitWatch& operator=(const ExitWatch&) = delete;

  // In the child, before it executes: from now on its exit waits for go_on(). Async-signal-safe.
  void announce();
  // In the parent, once: waits for the child's announce(). Whether exits can be waited for.
  bool begin();
  // Whether somebody is on the way out, and stands still; waits for so long at most.
  bool wait(int milliseconds);
  void go_on();

 private:
  int parent_ = -1;
  int child_ = -1;
  int listener_ = -1;
  unsigned long long stopped_ = 0;
};

}  // namespace mmt::cli

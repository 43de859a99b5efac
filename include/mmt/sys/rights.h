#pragma once
// What a thread of ours may do beside the program's threads. It gives up what it never needs. It
// looks at the program's threads for what it cannot give up by itself: users, groups, control
// groups, and how they are scheduled. Raw calls, no allocation.
//
// Only a thread with a table of descriptors of its own looks, so that its files are in nobody's
// way. It looks only under no seccomp filter, which might kill for the calls.
#include <cstddef>
#include <cstdint>

#include <mmt/sys/scheduling.h>

namespace mmt::sys {

// The calling thread stands under a seccomp filter.
bool is_filtered();

// What a thread keeps that has given up all that it could.
enum class Kept : uint8_t {
  kNothing,
  kBoundingSet,  // to drop from it takes a capability in effect
  kUnknown       // the kernel refuses
};

// The calling thread gives up all capabilities but those whose bits are set in `kept`, its bounding
// set, and what an exec could give it. It keeps its user and groups: a change of these makes the
// process undumpable. It is not called under a filter.
Kept give_up_capabilities(uint64_t kept = 0);
// The calling thread gives up those that thread `of` does not have, and uses of the others what
// that one uses.
bool give_up_capabilities_as(uint32_t of);
// All that it may use it uses.
bool use_all_capabilities();

// A thread of this process that has run its last instruction may still be seen, with all its
// rights. Waits a second at most for it to be gone.
void wait_until_uncounted(uint32_t thread);
// The process has another thread than the calling one. True where the kernel does not say.
bool has_other_threads();

// How the program's threads stand to one of ours.
enum class Standing : uint8_t {
  kAlike,    // they have the same users and groups; or the kernel does not say
  kChanged,  // theirs are others, and all the same
  kDiffers   // they have different ones among themselves
};

// The looks of one thread of ours at the others.
class RightsWatch {
 public:
  // How many threads a look is at, beside the main thread; the rest has its turn later.
  static constexpr unsigned kThreadsALook = 12;

  // By the thread itself, `self`, as it starts. `main` is the process's first thread.
  void open(uint32_t self, uint32_t main);

  // The thread calls this as often as it can, before it goes on with its work. It looks where a
  // look is due. A brief look is at the main thread alone. A look at all comes after a long sleep,
  // now and then, or with `at_length`. In a young process of one thread nothing is opened, because
  // the kernel would keep this thread's files until its end. A parent that waits for a child would
  // spin while the child's last thread waits for a CPU to throw them away.
  Standing look_if_due(uint64_t now_ns, bool at_length);

  // Whether the main thread's effective user or group is another: one system call.
  bool has_main_changed() const;
  // What can be read of each, from files of /proc. Where there is none it is kAlike.
  Standing look();

  // How many looks at all there have been.
  uint32_t looks() const { return looks_; }
  // Gives up capabilities that one of the threads of the last look does not have.
  void give_up_unseen() const;

  // The weakest of the classes and nicenesses seen in the last looks that were at all threads.
  bool has_weakest() const { return has_weakest_; }
  const Scheduling& weakest() const { return weakest_; }

 private:
  struct Round;  // a look

  bool is_alone_with_main() const;
  Standing look_by_calls();
  void note(uint32_t thread);
  void end_of_turn();

  uint32_t self_ = 0;
  uint32_t main_ = 0;
  uint32_t user_ = 0;  // effective
  uint32_t group_ = 0;
  uint64_t young_until_ns_ = 0;
  uint64_t last_ns_ = 0;
  uint64_t next_brief_ns_ = 0;
  uint64_t next_long_ns_ = 0;
  int64_t next_ = 0;  // where in the folder of threads the next look goes on
  uint32_t looks_ = 0;
  uint64_t seen_ = 0;  // capabilities that all of them have
  bool has_weakest_ = false;
  bool has_gathered_ = false;
  Scheduling weakest_{};
  Scheduling gathered_{};  // in this turn
};

}  // namespace mmt::sys

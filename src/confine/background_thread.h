#pragma once
// What a library with a thread below libc tells of it to the calls that the thread must not be in
// the way of. Such calls change the user, the name space, what system calls there are, how threads
// are scheduled, or what the process may use.
#include <concepts>

#include <mmt/sys/syscall.h>

namespace mmt::confine {

// All functions are static. Any thread may call them, in any context.
template <class T>
concept IsBackgroundThread = requires {
  // Ends it, if there is one, at a moment when it holds nothing. Whether there was one. It comes
  // again as a thread of the program's, where it is wanted: not at once, and not for long where it
  // is ended often.
  { T::stop() } -> std::same_as<bool>;
  // Starts it if it may ever be wanted.
  T::start_early();
  // The caller has changed users or groups: its own, or, with true, those of all threads. None is
  // left that has those of before.
  T::identity_changed(true);
  // The caller has changed, by this call, what nobody can read of a thread (Landlock, memory
  // policy): the same.
  T::unreadable_changed(sys::SystemCall{});
  // The caller may have given up capabilities, or what an exec could give it; or, with true, a part
  // of its bounding set: the same.
  T::capabilities_changed(true);
  // The program may have changed how its threads are scheduled, where, or its limits: it goes
  // along, or ends.
  T::reconsider();
  // None is started from now on; also in forks' children. Makes no system call.
  T::start_none(true);
  // False: the caller is a vfork's child, for which nothing is to change.
  { T::at_home() } -> std::same_as<bool>;
};

}  // namespace mmt::confine

#pragma once
// What a library with a thread below libc tells of it to the calls that it must not be in the way
// of: those that change the user, the name space, what system calls there are, how threads are
// scheduled, or what the process may use.
#include <concepts>

namespace mmt::abi {

// Static functions; any thread, any context.
template <class T>
concept IsBackgroundThread = requires {
  // Ends it, if there is one, at a moment when it holds nothing. Whether there was one.
  { T::stop() } -> std::same_as<bool>;
  // Starts it, as a thread of the caller's, if it is wanted.
  T::start_if_due();
  // Starts it if it may ever be wanted.
  T::start_early();
  // The program may have changed how its threads are scheduled, where, or its limits: it goes
  // along, or ends.
  T::reconsider();
  // None is started from now on; also in forks' children. Makes no system call.
  T::start_none(true);
  // False: the caller is a vfork's child, for which nothing is to change.
  { T::at_home() } -> std::same_as<bool>;
};

}  // namespace mmt::abi

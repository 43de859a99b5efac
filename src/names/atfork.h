#pragma once
// The registration of fork handlers that is behind ours.
#include <cerrno>

#include "names/next.h"

namespace mmt::names {

using ForkHandler = void();

inline int next_register_atfork(ForkHandler* prepare, ForkHandler* parent, ForkHandler* child,
                                void* object) {
  using Register = int(ForkHandler*, ForkHandler*, ForkHandler*, void*);
  static Register* cached;
  auto* next = next_function(&cached, "__register_atfork");
  return next != nullptr ? next(prepare, parent, child, object) : ENOSYS;
}

// Heap::handler_registered(prepare), of a heap that has it: what others have registered.
template <class Heap>
void tell_of_handler(ForkHandler* prepare) {
  if constexpr (requires { Heap::handler_registered(prepare); }) Heap::handler_registered(prepare);
}

}  // namespace mmt::names

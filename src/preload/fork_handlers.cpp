// Of the handlers of fork, those registered first run last before it, and first after it. Ours must
// be these, as libc takes the locks of its own malloc after all handlers: a handler may wait for a
// thread that allocates. Libraries that the program is linked to register theirs before our
// constructor runs, so whoever registers the first one has ours registered before.
#include <cerrno>

#include <mmt/core/compiler.h>

#include "offload/lifecycle.h"
#include "preload/next.h"

using Handler = void();

// What pthread_atfork calls, which is a part of each program and library.
MMT_EXPORT int __register_atfork(Handler* prepare, Handler* parent, Handler* child, void* object) {
  mmt::offload::install_fork_handlers();
  static decltype(__register_atfork)* cached;
  auto* next = mmt::preload::next_function(&cached, "__register_atfork");
  return next != nullptr ? next(prepare, parent, child, object) : ENOSYS;
}

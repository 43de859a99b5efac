#include "preload/environment.h"

#include <dlfcn.h>

#include "names/inherited.h"

extern char** environ;

namespace mmt::preload {

void stop_following() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&stop_following), &info) == 0) return;
  names::remove_library(environ, info.dli_fname);
}

}  // namespace mmt::preload

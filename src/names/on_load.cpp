// What comes before every constructor of the process, this library's own included.
#include <dlfcn.h>
#include <unistd.h>

#include <mmt/core/compiler.h>

#include "names/cxx_stand_in.h"
#include "names/libc_debugging.h"
#include "names/libc_names.h"
#include "names/next.h"

namespace {

bool is_settled = false;  // written before there is a second thread

void settle_names() {
  if (is_settled) return;
  is_settled = true;
  mmt::names::find_libc_debugging();
  mmt::names::libc_names.take();
  mmt::names::find_next_allocator();
  mmt::names::withdraw_cxx_names_where_replaced();
}

}  // namespace

// For another library of ours that is behind this one.
MMT_EXPORT void mmt_settle_names() { settle_names(); }

// The build names this function to the linker (CMakeLists.txt). At this time libc has not found the
// environment yet. There may be several libraries of ours, a protocol's over a layered heap. The
// dynamic linker lets only the one behind come before all constructors. That one calls for the one
// in front, which settles last.
extern "C" [[gnu::visibility("hidden")]] void mmt_on_load(int, char**, char** environment) {
  if (environ == nullptr) environ = environment;
  settle_names();
  if (void* const first = dlsym(RTLD_DEFAULT, "mmt_settle_names"))
    reinterpret_cast<void (*)()>(first)();
}

// What comes before every constructor of the process, this library's own included.
#include <unistd.h>

#include "abi/cxx_stand_in.h"
#include "abi/libc_names.h"
#include "abi/next.h"

// The build names it to the linker (CMakeLists.txt). libc has not found the environment yet.
extern "C" [[gnu::visibility("hidden")]] void mmt_on_load(int, char**, char** environment) {
  if (environ == nullptr) environ = environment;
  mmt::abi::libc_names.take();
  mmt::abi::find_next_allocator();
  mmt::abi::withdraw_cxx_names_where_replaced();
}

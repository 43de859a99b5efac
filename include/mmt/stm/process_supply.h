// The process's malloc as a supply. It takes back many blocks at once where malloc has a way for
// that, and else `free_batch` is null. Under libmmt.so a commit's frees therefore go to the memory
// thread as one batch. Any thread may call it.
#pragma once

#include <dlfcn.h>

#include <cstddef>

#include <mmt/stm/options.h>

namespace mmt::stm {

inline Supply process_supply() {
  Supply supply;
  void* const batch = ::dlsym(RTLD_DEFAULT, "mmt_free_batch");
  supply.free_batch = reinterpret_cast<void (*)(void* const*, std::size_t)>(batch);
  return supply;
}

}  // namespace mmt::stm

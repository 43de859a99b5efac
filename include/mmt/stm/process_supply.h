// The process's malloc, with its way to take many blocks at once where it has one: under libmmt.so
// a commit's frees go to the memory thread as one batch.
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

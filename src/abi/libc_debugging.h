#pragma once
// libc's own debugging library, where mtrace and mcheck are since glibc 2.34. Preloaded, it stands
// for malloc before libc's, which it calls by libc's own names (__libc_malloc), and it reads the
// headers of the blocks: those must be libc's. So where it is loaded these names, ours too, lead to
// what libc has.
#include <atomic>
#include <cstdint>
#include <type_traits>

#include <mmt/core/compiler.h>
#include <mmt/core/name.h>

#include "abi/early.h"
#include "abi/libc_names.h"
#include "sys/linux/libc_function.h"

namespace mmt::abi {

enum class Debugging : uint8_t { kUnknown, kNone, kLoaded };
// Relaxed: whoever looks finds the same.
inline constinit std::atomic<Debugging> libc_debugging{Debugging::kUnknown};

MMT_COLD inline bool find_libc_debugging() {
  if (is_early()) return false;
  const bool is_loaded = sys::is_loaded("libc_malloc_debug.so.0");
  libc_debugging.store(is_loaded ? Debugging::kLoaded : Debugging::kNone,
                       std::memory_order_relaxed);
  return is_loaded;
}
MMT_ALWAYS_INLINE bool is_libc_debugging() {
  return MMT_UNLIKELY(libc_debugging.load(std::memory_order_relaxed) != Debugging::kNone) &&
         find_libc_debugging();
}

// What libc answers by kName where that is so, and has it; else what ours does.
template <core::Name kName, class Result, class... Arguments>
MMT_ALWAYS_INLINE Result libcs_or(Result (*ours)(Arguments...),
                                  std::type_identity_t<Arguments>... arguments) {
  if (is_libc_debugging()) {
    if (void* const libcs = libc_names.original_of(sys::libc_function(kName.text)))
      return reinterpret_cast<Result (*)(Arguments...)>(libcs)(arguments...);
  }
  return ours(arguments...);
}

}  // namespace mmt::abi

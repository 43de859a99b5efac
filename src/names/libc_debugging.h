#pragma once
// The debugging library of libc has had mtrace and mcheck since glibc 2.34. Where it is preloaded,
// it stands for malloc before libc's, which it calls by libc's own names (__libc_malloc). It reads
// the headers of the blocks, which must be libc's. So where it is loaded these names, ours too,
// lead to what libc has.
#include <atomic>
#include <cstdint>
#include <type_traits>

#include <mmt/core/compiler.h>
#include <mmt/core/name.h>

#include "names/early.h"
#include "sys/linux/libc_function.h"

namespace mmt::names {

enum class Debugging : uint8_t { kUnknown, kNone, kLoaded };
// Release and acquire: what was found of libc is there, too.
inline constinit std::atomic<Debugging> libc_debugging{Debugging::kUnknown};

// What libc has by the name; nullptr: nothing. Where there are two libraries of ours, the one in
// front finds the other's function, which goes on to libc's.
template <core::Name kName>
inline constinit void* of_libc = nullptr;

template <core::Name... kNames>
void find_of_libc() {
  ((of_libc<kNames> = sys::libc_function(kNames.text)), ...);
}

// It is called before libc's table leads to ours: libc_names.h. Once is enough, more does no harm
// until then.
MMT_COLD inline bool find_libc_debugging() {
  if (is_early()) return false;
  const bool is_loaded = sys::is_loaded("libc_malloc_debug.so.0");
  if (is_loaded) {
    find_of_libc<"__libc_malloc", "__libc_free", "__libc_calloc", "__libc_realloc",
                 "__libc_reallocarray", "__libc_memalign", "__libc_valloc", "__libc_pvalloc",
                 "__posix_memalign", "__libc_mallopt", "__libc_mallinfo">();
  }
  libc_debugging.store(is_loaded ? Debugging::kLoaded : Debugging::kNone,
                       std::memory_order_release);
  return is_loaded;
}
MMT_ALWAYS_INLINE bool is_libc_debugging() {
  const Debugging now = libc_debugging.load(std::memory_order_acquire);
  if (MMT_LIKELY(now == Debugging::kNone)) return false;
  return now == Debugging::kLoaded || find_libc_debugging();
}

// What libc answers by kName where that is so, and has it; else what ours does. What ours is told
// of the call comes last, where libc's functions do not look.
template <core::Name kName, class Result, class... Arguments>
MMT_ALWAYS_INLINE Result libcs_or(Result (*ours)(Arguments...),
                                  std::type_identity_t<Arguments>... arguments) {
  if (is_libc_debugging() && of_libc<kName> != nullptr)
    return reinterpret_cast<Result (*)(Arguments...)>(of_libc<kName>)(arguments...);
  return ours(arguments...);
}

}  // namespace mmt::names

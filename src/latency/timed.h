#pragma once
// Timing a call of the allocator that is served by the next library.
//
// Only the outermost call counts: operator new that calls malloc is one. A call is inside another
// when its frame is deeper in the stack than that of the one which runs; so a call that was left by
// an exception or siglongjmp is forgotten by the next one from as far up.
#include <cstdint>
#include <type_traits>

#include <mmt/core/compiler.h>

#include "latency/recorder.h"

namespace mmt::latency {

constinit inline thread_local const char* outermost_frame = nullptr;

template <Call kCall, class Result, class... Parameters>
MMT_ALWAYS_INLINE Result timed(Result (*function)(Parameters...), Parameters... arguments) {
  CallPage* page = call_page();
  const char* frame = static_cast<const char*>(__builtin_frame_address(0));
  const char* outer = outermost_frame;
  if (page == nullptr || (outer != nullptr && frame < outer)) return function(arguments...);
  outermost_frame = frame;
  const uint64_t start = core::ticks_before();
  if constexpr (std::is_void_v<Result>) {
    function(arguments...);
    const uint64_t end = core::ticks_after();
    outermost_frame = nullptr;
    record(*page, kCall, end - start);
  } else {
    Result result = function(arguments...);
    const uint64_t end = core::ticks_after();
    outermost_frame = nullptr;
    record(*page, kCall, end - start);
    return result;
  }
}

}  // namespace mmt::latency

#pragma once
// Timing a call of the allocator that is served by the next library.
//
// A call made inside another counts as part of that one: operator new calls malloc, and a start of
// a thread calls calloc. When the outer call ends, what ended inside of it is taken back. So a call
// that is left by an exception or siglongjmp leaves nothing behind.
#include <cstdint>
#include <type_traits>

#include <mmt/core/compiler.h>

#include "latency/recorder.h"

namespace mmt::latency {

template <Call kCall, class Function>
MMT_ALWAYS_INLINE auto timed(Function function) {
  CallPage* page = call_page();
  if (page == nullptr) return function();
  const uint32_t mark = begin_call();
  const uint64_t start = core::ticks_before();
  if constexpr (std::is_void_v<decltype(function())>) {
    function();
    end_call(*page, mark, kCall, core::ticks_after() - start);
  } else {
    const auto result = function();
    end_call(*page, mark, kCall, core::ticks_after() - start);
    return result;
  }
}

}  // namespace mmt::latency

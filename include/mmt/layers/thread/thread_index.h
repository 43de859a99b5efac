// A number for each thread, from 0 on in the order of their first questions, by which to spread
// them over heaps. A child of fork keeps its thread's. No number is used again. Any thread may
// call.
#pragma once

#include <atomic>
#include <cstddef>

#include <mmt/core/compiler.h>

namespace mmt::layers {

namespace detail {

MMT_NOINLINE inline size_t next_thread_number() {
  static constinit std::atomic<size_t> last{0};
  // Relaxed: nothing but the number passes from thread to thread.
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace detail

MMT_ALWAYS_INLINE size_t thread_index() {
  static constinit thread_local size_t number = 0;
  if (MMT_UNLIKELY(number == 0)) number = detail::next_thread_number();
  return number - 1;
}

}  // namespace mmt::layers

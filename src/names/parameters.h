#pragma once
// mallopt and the narrow mallinfo, as glibc 2.36 answers them.
#include <malloc.h>

#include <cstddef>

#include "names/perturb.h"
#include "names/process_heap.h"

namespace mmt::names {

// What P does not know itself goes to P::set_parameter, if it has that, which answers. Else 1, also
// to parameters that nobody knows. 0 to a size of fast bins that is out of range.
template <IsProcessHeap P>
int set_parameter(int parameter, int value) {
  constexpr int kMaxFast = 80 * static_cast<int>(sizeof(size_t)) / 4;
  if (parameter == M_MXFAST && (value < 0 || value > kMaxFast)) return 0;
  switch (parameter) {
    case M_PERTURB:
      Perturb<P>::start(value);
      return 1;
    case M_TRIM_THRESHOLD:
      P::set_trim_threshold(value);
      return 1;
    default:
      if constexpr (requires { P::set_parameter(parameter, value); }) {
        return P::set_parameter(parameter, value);
      }
      return 1;
  }
}

// Numbers that do not fit wrap around.
inline struct mallinfo narrow(const struct mallinfo2& wide) {
  const auto wrap = [](size_t value) { return static_cast<int>(static_cast<unsigned>(value)); };
  struct mallinfo result {};
  result.arena = wrap(wide.arena);
  result.ordblks = wrap(wide.ordblks);
  result.smblks = wrap(wide.smblks);
  result.hblks = wrap(wide.hblks);
  result.hblkhd = wrap(wide.hblkhd);
  result.fsmblks = wrap(wide.fsmblks);
  result.uordblks = wrap(wide.uordblks);
  result.fordblks = wrap(wide.fordblks);
  result.keepcost = wrap(wide.keepcost);
  return result;
}

}  // namespace mmt::names

#pragma once
// How a caller has the pages of a range given back, where that is not for the system alone to know:
// false when they were not. The contents are lost, the range stays mapped. Null: by sys::discard.
#include <cstddef>

namespace mmt::native {

using Discard = bool (*)(void* at, size_t bytes);

}  // namespace mmt::native

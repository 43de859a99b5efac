#pragma once
// A Discard is how a caller has the pages of a range given back, where that is not for the system
// alone to know. It returns false when they were not. The contents are lost, and the range stays
// mapped. A null Discard stands for sys::discard.
#include <cstddef>

namespace mmt::store {

using Discard = bool (*)(void* at, size_t bytes);

}  // namespace mmt::store

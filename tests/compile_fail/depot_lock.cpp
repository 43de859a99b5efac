// The depot lock: a call that needs it takes a token, which only the lock's holder can make.
#include "heap/store/depot.h"

namespace mmt::store {

inline SpanSupply take(Depot& depot, [[maybe_unused]] LockToken lock, uint64_t* words) {
#if WRONG == 1  // @error no matching function for call|too few arguments
  return depot.spans().take_span(1, words);
#elif WRONG == 2  // @error private
  return depot.spans().take_span(LockToken(0), 1, words);
#elif WRONG == 3  // @error LockToken
  return depot.spans().take_span({}, 1, words);
#else
  return depot.spans().take_span(lock, 1, words);
#endif
}

}  // namespace mmt::store

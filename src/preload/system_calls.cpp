// The memory thread beside calls that confine the program, change its user, or how it is scheduled;
// and the heap beside calls that change pages.
#include "abi/page_calls.h"
#include "preload/doors.h"

namespace mmt::abi {

using SeenCalls = PageCalls<PageOwner>;

}  // namespace mmt::abi

#include "abi/confinement.inc"
#include "abi/credentials.inc"
#include "abi/limits.inc"
#include "abi/own_pages.inc"
#include "abi/scheduling.inc"

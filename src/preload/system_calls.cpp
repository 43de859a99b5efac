// The memory thread beside calls that confine the program, change its user, or how it is scheduled;
// and the heap beside calls that change pages.
#include "confine/page_calls.h"
#include "preload/doors.h"

namespace mmt::abi {

using SeenCalls = PageCalls<PageOwner>;

}  // namespace mmt::abi

#include "confine/confinement.inc"
#include "confine/credentials.inc"
#include "confine/limits.inc"
#include "confine/own_pages.inc"
#include "confine/scheduling.inc"

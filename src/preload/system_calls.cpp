// The memory thread beside calls that confine the program, change its user, or how it is scheduled;
// and the heap beside calls that change pages.
#include "confine/page_calls.h"
#include "preload/doors.h"

namespace mmt::confine {

using SeenCalls = PageCalls<PageOwner>;

}  // namespace mmt::confine

#include "confine/confinement.h"
#include "confine/credentials.h"
#include "confine/limits.h"
#include "confine/own_pages.h"
#include "confine/scheduling.h"

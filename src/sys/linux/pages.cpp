// The OS contract for memory, on Linux. Real double: used by every shipped binary.
#include <sys/mman.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
#include "sys/linux/page_calls.h"
#include "sys/linux/page_moves.h"
}  // namespace mmt::sys

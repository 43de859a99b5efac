// For builds with a sanitizer, which are run without address randomisation for its own sake: what
// is to be checked is what runs elsewhere.
#include <mmt/sys/placement.h>

namespace mmt::sys {

bool addresses_are_fixed() { return false; }

}  // namespace mmt::sys

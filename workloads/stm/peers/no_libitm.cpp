// Where the compiler has no -fgnu-tm.
#include "stm/peers/measure.h"

namespace mmt::workloads::stm {

bool has_libitm() { return false; }
double measure_libitm(const Round&) { return -1; }

}  // namespace mmt::workloads::stm

// The value of an expression for one node. Arithmetic wraps at 64 bits.
#pragma once

#include <cstdint>

#include "lindsay/script.h"

namespace mmt::workloads::classic::lindsay {

enum class Fault : uint8_t { kNone, kDivision, kShift };

const char* text_of(Fault fault);

// `variables` has a place for each variable of the script. After a fault the value means nothing.
int64_t evaluate(const Expression& expression, const int64_t* variables, Fault* fault);

}  // namespace mmt::workloads::classic::lindsay

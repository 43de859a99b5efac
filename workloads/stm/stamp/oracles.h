// Counts that the native inputs must give, whoever writes the program: those of the paper's
// Table 5.
#pragma once

#include <string_view>

namespace mmt::workloads::stm {

// Runs the applications (one, or "all") sequentially with their native inputs, and prints each
// count beside what it must be. The status for main: 1 when one differs, be it known or not.
int print_oracles(std::string_view name);

}  // namespace mmt::workloads::stm

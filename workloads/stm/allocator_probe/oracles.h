// The paper's examples of addresses that share a versioned lock, as exact oracles.
#pragma once

namespace mmt::workloads::stm {

// Prints each with what is expected; the exit status, 0 when all hold.
int print_address_oracles();

}  // namespace mmt::workloads::stm

// How many locked instructions a pair of malloc and free executes: what an allocator pays for
// synchronisation, exactly and without a clock. A process of its own is single-stepped, in which a
// second thread lives: alone, some allocators take no locks.
#pragma once

#include <cstddef>
#include <optional>

namespace mmt::workloads::stm {

// This counts the locked steps of a pair of this size after others like it, 254 at most. It gives
// nullopt when stepping does not end, as restartable sequences begin anew at each step, and code
// that blocks signals cannot be stepped.
std::optional<size_t> locked_steps_of_pair(size_t bytes);

// Whether the instruction at `code` locks the bus: a LOCK prefix, or an exchange with memory.
bool is_locked(const unsigned char* code);

}  // namespace mmt::workloads::stm

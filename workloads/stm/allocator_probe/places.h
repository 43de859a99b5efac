// Where an allocator puts the blocks of one thread, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmt::workloads::stm {

// The addresses of so many blocks of a size, allocated in sequence; they stay allocated.
std::vector<uintptr_t> places_of(size_t bytes, size_t count);

// The distance that most neighbours in sequence have.
size_t usual_gap(const std::vector<uintptr_t>& places);

// This is the part of all neighbours in sequence whose first words lie in one stripe of 2^shift
// bytes.
double sharing(const std::vector<uintptr_t>& places, unsigned shift);

}  // namespace mmt::workloads::stm

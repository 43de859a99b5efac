// How much memory may be taken for what is read: what the machine, the process's control groups and
// its limits leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mmt::command {

// Bytes of address space that RLIMIT_AS leaves; SIZE_MAX: it limits nothing.
std::size_t address_space_left();

// Half of the least of what is available, what the control groups leave, and what RLIMIT_AS and
// RLIMIT_DATA leave.
std::uint64_t memory_by_default();

// "64M", "2G", "1048576": from 1M to 1024G. Throws a Failure (usage).
std::uint64_t bytes_of_memory(const std::string& text);

// Bounds the process's memory by that, or by the default where it is empty.
void bound_memory(const std::string& text);

// --memory's help.
inline constexpr const char* kMemoryHelp =
    "Memory that reading may take, such as 2G [half of what is free]";

}  // namespace mmt::command

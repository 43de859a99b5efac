#pragma once
// The first use of a hardened heap: its secrets and settings.
namespace mmt::harden {

// Before each block that a slow path hands out. False: the heap could not be opened.
bool begin();

}  // namespace mmt::harden

#pragma once
// As the process ends, its status tells of what was found.
namespace mmt::harden {

// Once, before the program registers functions of its own: ours is called after them.
void watch_end();

}  // namespace mmt::harden

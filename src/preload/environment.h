#pragma once
// Option follow=off: the programs that this process starts do not inherit the library.
namespace mmt::preload {

// Takes the library out of the process's environment (names/inherited.h).
void stop_following();

}  // namespace mmt::preload

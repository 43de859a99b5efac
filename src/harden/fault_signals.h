#pragma once
// Signals by which a program ends that went wrong. Before it does, what its heap can tell is told.
// A program does not see that we have handlers: what it installs is called as it asked for, after
// ours, and it is told of its own alone. A handler that it installs past libc takes our place.
namespace mmt::harden {

// Once, as the library is loaded.
void watch_fault_signals();

}  // namespace mmt::harden

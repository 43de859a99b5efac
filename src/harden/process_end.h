#pragma once
// As the process ends, what its heap can still tell is told, and its status says that there was
// something. That is at exit, _exit and quick_exit, at a crash (fault_signals.h), and before exec.
namespace mmt::harden {

// Once, before the program registers functions of its own: ours is called after them.
void watch_end();

// Looks at freed blocks for what was written since, within bounds. Again only when more was freed.
void look_once_more();
// The process ends for what was found.
void no_more_looks();

}  // namespace mmt::harden

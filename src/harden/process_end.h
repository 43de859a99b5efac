#pragma once
// As the process ends, what its heap can still tell is told, and its status says that there was
// something. That is at exit, _exit and quick_exit, at a crash (fault_signals.h), and before exec.
namespace mmt::harden {

// Once, before the program registers functions of its own: ours is called after them.
void watch_end();

// False: a child of vfork has its parent's memory.
bool is_own_process();

// Looks at freed blocks for what was written since, within bounds. Again only when more was freed.
void look_once_more();
// The same, as the process ends by no function that others could call meanwhile.
void look_at_last();
// The process ends for what was found.
void no_more_looks();

}  // namespace mmt::harden

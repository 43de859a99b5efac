#pragma once
// Whether the program has signal handlers that may interrupt it anywhere, and so inside the
// library. Those for faults do not count: they are where the program's own code went wrong.
namespace mmt::beside {

// The thread that installs the first such handler calls this before.
extern void (*on_first_handler)();
bool has_handlers();

}  // namespace mmt::beside

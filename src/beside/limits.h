#pragma once
// Under these limits on memory a library must not be made to ask for more than it needs. They are
// on the address space, on data, and on the locking of what is there or to come.
namespace mmt::beside {

// The thread that sets one for the program calls this before.
extern void (*on_limit)();
// Called when one of any kind may have been set.
extern void (*after_limit)();
// As the library is loaded: how the system counts memory.
void look_for_limits();
// Whether there is one already.
bool has_limits();

}  // namespace mmt::beside

#pragma once
// Signals end a program that went wrong. Before it ends, what its heap can tell is told. A program
// does not see that we have handlers. Its own handlers are called after ours, as it asked for, and
// it is told of these alone. A handler that it installs past libc takes our place.
namespace mmt::harden {

// Once, as the library is loaded.
void watch_fault_signals();
// The same for all other signals that end a program by default: where the heap is looked at as the
// process ends.
void watch_ending_signals();

// Whether a fault of the calling thread comes to our handler. The program may have blocked the
// signal, ignore it, have a handler past libc, or be on an alternate stack.
bool can_handle_faults();

// Where the program has no handler for it, the signal does what it does by default from now on.
void handle_no_more(int number);

// A fork's child has one thread: nobody is amid a change.
void free_signals_in_child();

}  // namespace mmt::harden

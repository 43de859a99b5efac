#pragma once
// What the program's threads tell the memory thread, or one to come, and what it asks of that.
// Its coming is another matter: see server_thread.h.
#include <cstdint>

namespace mmt::heap {

struct Heap;

// Ends the memory thread, if there is one, at a moment when it holds nothing. That is within some
// microseconds, or after the one system call that the thread may be in. The thread starts anew, as
// a thread of the caller's (with its credentials), by the next start_server_if_due(). Any thread
// may call this in any context. The result is the thread's id, or 0 if there was none.
uint32_t stop_server(Heap& heap);

// False: the caller is a vfork's child, and shares its parent's memory, for which nothing it does
// to itself is to change anything.
bool at_home(Heap& heap);

// A limit forbids the memory thread for now: none is started until much more has been allocated, or
// reconsider_server() was called. Any thread may call it.
void postpone_server(Heap& heap);

// The memory thread looks again at how it is to be scheduled, soon. Any thread may call it, in any
// context.
void ask_server_to_look(Heap& heap);
// For the memory thread: whether that has been asked since the last time.
bool is_asked_to_look(Heap& heap);

// The caller is about to sleep for the depot lock. If it is a real-time thread and the memory
// thread has the lock, that becomes one until its next look.
void lend_priority_to_server(Heap& heap);

// For the memory thread: whether it is to leave. To be asked between a parker's begin_park() and
// its commit_park() too.
bool told_to_leave(Heap& heap, uint32_t thread);

// The calling process is the one that the heap and its memory thread belong to. A vfork's child,
// which shares them, neither starts nor stops the thread.
void adopt_process(Heap& heap);

}  // namespace mmt::heap

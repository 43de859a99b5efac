#pragma once
// This is the memory thread's coming and going. Heap::server says where it stands:
// - not started -> starting: by the client whose allocation crosses the threshold.
// - starting -> running, or keeping house: by the thread itself; -> away or failed: by its starter.
// - running <-> keeping house: by the thread itself, as CPUs are taken and given.
// - running, keeping house -> not started: by the thread itself, when it has been told to leave or
//   a limit forbids it.
//
// While the thread is not running every client serves itself. All that waits in the channels waits
// for the next memory thread.
#include <cstdint>

namespace mmt::offload {

struct Heap;

// Starts the thread if it is not started and enough has been allocated. Any thread, any context.
void start_server_if_due(Heap& heap);

// Ends the memory thread, if there is one, at a moment when it holds nothing. That is within some
// microseconds, or after the one system call that the thread may be in. The thread starts anew, as
// a thread of the caller's (with its credentials), by the next start_server_if_due(). Any thread
// may call this in any context. The result is the thread's id, or 0 if there was none.
uint32_t stop_server(Heap& heap);

// False: the caller is a vfork's child, and shares its parent's memory, for which nothing it does
// to itself is to change anything.
bool at_home(Heap& heap);

// No memory thread is started from now on, in this process and, `forks_too`, in its forks'
// children; one that runs goes on. Any thread, any context. Not by a vfork's child: see
// at_home(heap). Makes no system call: a filter that is in force may know none of ours.
void start_no_server(Heap& heap, bool forks_too);

// Starts the thread now if it is ever to be started, however little has been allocated.
void start_server_early(Heap& heap);

// The program has, or may have, changed how it is scheduled, where, or its limits: the memory
// thread follows, or leaves, before this returns. Any thread, any context.
void reconsider_server(Heap& heap);

// A limit forbids the memory thread for now: none is started until much more has been allocated, or
// reconsider_server() was called. Any thread.
void postpone_server(Heap& heap);

// The memory thread looks again at how it is to be scheduled, soon. Any thread, any context.
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

// A fork's child: the same, and there is no memory thread. To be called after the role's reset.
void reset_server_in_child(Heap& heap);

}  // namespace mmt::offload

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

namespace mmt::heap {

struct Heap;

// Starts the thread if it is not started and enough has been allocated. Any thread may call it, in
// any context.
void start_server_if_due(Heap& heap);

// No memory thread is started from now on, in this process and, `forks_too`, in its forks'
// children; one that runs goes on. Any thread may call it, in any context. Not by a vfork's child:
// see at_home() in server_orders.h. Makes no system call: a filter that is in force may know none
// of ours.
void start_no_server(Heap& heap, bool forks_too);

// Starts the thread now if it is ever to be started, however little has been allocated. The heap is
// open.
void start_server_early(Heap& heap);

// The program has, or may have, changed how it is scheduled, where, or its limits: the memory
// thread follows, or leaves, before this returns. Any thread may call it, in any context.
void reconsider_server(Heap& heap);

// A fork's child: it is adopted, and there is no memory thread. It is called after the role's
// reset.
void reset_server_in_child(Heap& heap);

}  // namespace mmt::heap

#pragma once
// What becomes of a thread's part of the heap as the thread ends.
namespace mmt::heap {

struct Heap;

// The calling thread ends: its client becomes a zombie, later calls are served directly.
void end_thread(Heap& heap);

}  // namespace mmt::heap

#pragma once
// What ties the heap to the life of threads and of the process.
namespace mmt::offload {

struct Heap;

// Once, when the heap opens: lets ended threads hand over their clients.
void prepare_thread_ends();
// For the calling thread, which has just got a client.
void watch_thread_end();

// Around a fork, by the thread that forks.
void before_fork(Heap& heap);
void after_fork_in_parent(Heap& heap);
void after_fork_in_child(Heap& heap);

}  // namespace mmt::offload

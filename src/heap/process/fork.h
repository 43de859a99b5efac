#pragma once
// What the heap does as the process forks.
namespace mmt::heap {

struct Heap;

// The thread that forks calls these around the fork.
void before_fork(Heap& heap);
void after_fork_in_parent(Heap& heap);
void after_fork_in_child(Heap& heap);

}  // namespace mmt::heap

#pragma once
// The memory thread. One for a process, below libc (sys::RawThread), all signals blocked.
//
// It sleeps, and works in bursts (pace.h): takes surplus back into the bitmaps, makes memory
// resident ahead of the frontier, gives free memory back to the OS when it has aged.
// It holds the depot lock for a few batches at a time, and never across a system call but the
// mapping of the next piece of the heap.
//
// Where a thread that works would take the CPU from the program (one usable CPU, a tight quota), it
// only keeps house: it sleeps, and gives free memory back to the OS when it has aged. It looks from
// time to time, and when it is asked to, whether that is so, and how it is to be scheduled.
#include <cstddef>
#include <cstdint>

namespace mmt::offload {

struct Heap;

enum class Duty : uint8_t { kServe, kKeepHouse };

struct Orders {
  Duty most;            // it may do less
  bool watches_groups;  // its control groups limit tasks: see following.h
};

// Its body: returns when it is told to leave (server_thread.h) or a limit forbids it, holding
// nothing.
void run_server(Heap& heap, const Orders& orders);

// Called by clients as they fetch spans: starts the thread once the heap is large enough.
void count_volume(Heap& heap, size_t bytes);
// The volume so far, in bytes; 0 while the heap is closed.
uint64_t fetched_volume(Heap& heap);
// As count_volume, as they give back.
void count_freed(Heap& heap, size_t bytes);

// A fork's child: there is no memory thread.
void reset_server_in_child(Heap& heap);

// Gives free memory back to the OS at once. True when some was given. Takes the depot lock.
bool purge_all(Heap& heap);

}  // namespace mmt::offload

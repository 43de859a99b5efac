#pragma once
// Thrifty clients (thrift.h) leave free blocks for each other in caches of the CPUs, so that
// hundreds of threads seldom meet at the depot lock. A thread uses the cache of the CPU it runs on.
// It has that cache to itself unless it is preempted while it holds the cache's lock. Each CPU has
// several caches, so that the next thread finds another one free. Nobody waits for a cache.
//
// A cache holds pointers, the newest blocks on top: those warm in its CPU. It is filled from the
// depot and emptied into it many blocks at a time. The sweeper empties the caches not used lately.
//
// A cache's lock comes first, then the depot's. Signals are not blocked while a client holds a
// cache: the client is inside an Entry, and a handler is served from the depot. Where a handler
// leaves for good, the blocks in hand are lost, and recover_cpu_caches frees the cache.
#include <cstddef>
#include <cstdint>

#include "heap/store/size_class.h"

namespace mmt::heap {

struct Heap;

class Client;

// The client's thread calls it, inside an Entry. Up to `most` blocks of class `c`; how many, 0 when
// no cache was free or memory is short.
uint32_t take_from_cpu(const Client& client, store::SizeClass c, void** blocks, uint32_t most);
// How many of the blocks, the first ones, have been taken.
size_t leave_to_cpu(const Client& client, store::SizeClass c, void* const* blocks, size_t count);

// Gives back to the depot what is in the caches. With kUnused these are the caches that nobody used
// since the last such call, and all while no client is thrifty. The caller does not hold the depot
// lock. False: a cache in use was passed over.
enum class CpuCacheKind : uint8_t { kUnused, kAll };
bool empty_cpu_caches(Heap& heap, uint32_t self, CpuCacheKind kind);

// Returns how many bytes the entries of a cache take, once the cache was used.
size_t cpu_cache_bytes();
// Free blocks of class `c` in them. Any thread; exact while nobody uses them.
size_t cached_by_cpus(Heap& heap, store::SizeClass c);

// The caller's last Entry was abandoned, and held one perhaps.
void recover_cpu_caches(Heap& heap, uint32_t self);

// fork: with signals blocked, while the depot lock is held. Those that are in use are not waited
// for: their holders may be stopped, or be what a handler that forks has interrupted. The child
// frees them, but for the last kind: blocks in their holders' hands are lost to it.
void hold_cpu_caches(Heap& heap, uint32_t self);
void release_cpu_caches(Heap& heap, uint32_t self);
// `self`: the only thread's id; `before`: its id in the parent.
void reset_cpu_caches_in_child(Heap& heap, uint32_t self, uint32_t before);

}  // namespace mmt::heap

// The class is a heap of its own for a unit test of the heap's parts. The heap is just opened,
// without options from the environment, in direct mode. A thread has one such heap at a time. No
// other thread uses the heap when it comes or goes.
//
// A test may play the memory thread. After serve() clients hand their work over, and the test does
// it by the calls that the thread would make.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <mmt/sys/pages.h>

#include "heap/keeper/server_thread.h"
#include "heap/object/heap.h"
#include "heap/object/thread_state.h"
#include "heap/thread/end_thread.h"
#include "support/held_lock.h"
#include "support/region_memory.h"

namespace mmt::test {

class FreshHeap : public heap::Heap {
 public:
  // `first`: the slot with which its region begins.
  explicit FreshHeap(store::Slot first = 0) : Heap{} {
    // What the thread had of another heap, as of the process's own, goes back to that.
    if (const heap::Client* client = heap::thread_state.client) heap::end_thread(*client->heap);
    heap::thread_state = {};
    options.server = heap::Switch::kOff;
    if (!depot.open(false, first)) throw std::runtime_error("no memory for a heap");
    starter = heap::start_server_if_due;
    opening.begin();
    opening.finish(true);
  }
  // All its address space goes back to the system.
  ~FreshHeap() {
    heap::current_fast = &heap::empty_fast_part;
    heap::thread_state = {};
    for (uint32_t i = 0; i < clients.count(); ++i)
      if (heap::Client* client = clients.at(i)) sys::unmap(client, heap::Client::footprint());
    return_memory(depot.region());
  }
  FreshHeap(const FreshHeap&) = delete;
  FreshHeap& operator=(const FreshHeap&) = delete;

  void serve(heap::Switch drain = heap::Switch::kOn) {
    server.running();
    options.drain = drain;
  }

  // A client that no thread has.
  heap::Client& add_client() {
    auto* const client = static_cast<heap::Client*>(sys::map_anywhere(heap::Client::footprint()));
    if (client == nullptr) throw std::runtime_error("no memory for a client");
    uint32_t index;
    if (!clients.reserve(&index)) throw std::runtime_error("too many clients");
    client->open(*this, index);
    client->lease.claim_new();
    clients.add(index, client);
    return *client;
  }

  // The blocks of a span that the depot gives for class `c`, by ascending address.
  std::vector<char*> take_span(heap::SizeClass c) {
    uint64_t words[store::kMaxBitmapWords] = {};
    store::Slot slot = depot.spans().take_span(HeldLock(), c, words).slot;
    if (slot == store::kNoSlot) slot = depot.spans().carve_span(c, words).slot;
    std::vector<char*> blocks;
    if (slot == store::kNoSlot) return blocks;
    for (uint32_t i = 0; i < store::kClasses[c].blocks; ++i)
      if ((words[i / 64] >> (i % 64) & 1) != 0)
        blocks.push_back(depot.region().address(slot) + size_t{i} * store::kClasses[c].size);
    return blocks;
  }
};

}  // namespace mmt::test

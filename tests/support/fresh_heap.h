// A heap of its own for a unit test of the heap's parts: just opened, without options from the
// environment, in direct mode. It is the process's one heap (offload/runtime.h), made anew: one at
// a time, used by no other thread when it comes or goes.
//
// A test may play the memory thread: after serve() clients hand their work over, and the test does
// it by the calls that the thread would make.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>

#include <mmt/sys/pages.h>

#include "offload/runtime.h"
#include "offload/thread_state.h"
#include "support/held_lock.h"
#include "support/region_memory.h"

namespace mmt::test {

class FreshHeap {
 public:
  FreshHeap() {
    new (&offload::runtime) offload::Runtime{};
    offload::runtime.options.server = offload::Switch::kOff;
    if (!depot().open(false)) throw std::runtime_error("no memory for a heap");
    offload::runtime.opening.begin();
    offload::runtime.opening.finish(true);
  }
  // All its address space goes back to the system.
  ~FreshHeap() {
    offload::current_fast = &offload::empty_fast_part;
    offload::thread_state = {};
    for (uint32_t i = 0; i < offload::runtime.clients.count(); ++i)
      if (offload::Client* client = offload::runtime.clients.at(i))
        sys::unmap(client, offload::Client::footprint());
    return_memory(depot().region());
    new (&offload::runtime) offload::Runtime{};
  }
  FreshHeap(const FreshHeap&) = delete;
  FreshHeap& operator=(const FreshHeap&) = delete;

  native::Depot& depot() { return offload::runtime.depot; }
  static void serve(offload::Switch drain = offload::Switch::kOn) {
    offload::runtime.server.running();
    offload::runtime.options.drain = drain;
  }

  // A client that no thread has.
  offload::Client& add_client() {
    auto* const client =
        static_cast<offload::Client*>(sys::map_anywhere(offload::Client::footprint()));
    if (client == nullptr) throw std::runtime_error("no memory for a client");
    uint32_t index;
    if (!offload::runtime.clients.reserve(&index)) throw std::runtime_error("too many clients");
    client->open(index);
    client->life.claim_new();
    offload::runtime.clients.add(index, client);
    return *client;
  }

  // The blocks of a span that the depot gives for class `c`, by ascending address.
  std::vector<char*> take_span(offload::SizeClass c) {
    uint64_t words[native::kMaxBitmapWords] = {};
    native::Slot slot = depot().take_span(HeldLock(), c, words).slot;
    if (slot == native::kNoSlot) slot = depot().carve_span(c, words).slot;
    std::vector<char*> blocks;
    if (slot == native::kNoSlot) return blocks;
    for (uint32_t i = 0; i < native::kClasses[c].blocks; ++i)
      if ((words[i / 64] >> (i % 64) & 1) != 0)
        blocks.push_back(depot().region().address(slot) + size_t{i} * native::kClasses[c].size);
    return blocks;
  }
};

}  // namespace mmt::test

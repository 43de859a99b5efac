// A thread gets a client at its first call, and a pthread key tells of its end.
#include "heap/thread/attach.h"

#include <pthread.h>

#include <mmt/sys/thread.h>

#include "heap/object/heap.h"
#include "heap/object/rseq.h"
#include "heap/object/thread_state.h"

namespace mmt::heap {
namespace {

pthread_key_t end_key;
bool have_end_key;
void (*end_of_thread)(Heap& heap);

void on_thread_end(void* client) { end_of_thread(*static_cast<Client*>(client)->heap); }

// For the calling thread, which has just got a client.
void watch_thread_end() {
  if (have_end_key) pthread_setspecific(end_key, thread_state.client);
}

// An ended thread's client, caches and all, or an empty one.
Client* claim_pooled(Heap& heap) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = heap.clients.at(i);
    if (client != nullptr && (client->lease.adopt() || client->lease.claim())) return client;
  }
  return nullptr;
}

Client* map_client(Heap& heap) {
  if (heap.clients.count() == kMaxClients) return nullptr;
  return static_cast<Client*>(heap.depot.budget().map_anywhere(Client::footprint()));
}

// nullptr: the registry is full, and what was mapped is gone.
Client* add_client(Heap& heap, Client* mapped) {
  uint32_t index;
  if (!heap.clients.reserve(&index)) {
    heap.depot.budget().unmap(mapped, Client::footprint());
    return nullptr;
  }
  mapped->open(heap, index);
  mapped->lease.claim_new();
  heap.clients.add(index, mapped);
  return mapped;
}

// May come back to a handler of a forced signal first, which has made one for the thread.
Client* make_client(Heap& heap) {
  Client* const client = map_client(heap);
  if (client == nullptr) return nullptr;
  if (thread_state.client == nullptr) return add_client(heap, client);
  heap.depot.budget().unmap(client, Client::footprint());
  return thread_state.client;
}

// The heap is open.
MMT_NOINLINE Client* attach_to_open(Heap& heap) {
  const sys::SignalsBlocked blocked;
  const uint32_t self = thread_id();  // while nothing is claimed: a system call
  // A signal's handler may have come first.
  if (thread_state.client != nullptr) return thread_state.client;
  Client* client = claim_pooled(heap);
  if (client == nullptr) client = make_client(heap);
  if (client != nullptr && client != thread_state.client) {
    uint64_t* word = rseq_word_of_thread(heap.options.rseq);
    client->restartable = word != nullptr;
    if (word != nullptr) client->fast.rseq_word = word;
    client->busy_frame.store(0, std::memory_order_relaxed);
    client->begin_life();
    // Relaxed: it is a number, by which nothing else is found.
    client->thread.store(self, std::memory_order_relaxed);
    thread_state.client = client;
    fast_sizes.open();
    watch_thread_end();
  }
  return client;
}

}  // namespace

MMT_COLD Client* attach_client(Heap& heap) {
  return heap.is_open() ? attach_to_open(heap) : nullptr;
}

bool add_client_ahead(Heap& heap) {
  Client* const mapped = map_client(heap);
  Client* const ahead = mapped != nullptr ? add_client(heap, mapped) : nullptr;
  if (ahead == nullptr) return false;
  ahead->lease.leave_to_self();
  ahead->lease.end_reclaim();
  return true;
}

void prepare_thread_ends(void (*ended)(Heap& heap)) {
  end_of_thread = ended;
  have_end_key = pthread_key_create(&end_key, on_thread_end) == 0;
}

}  // namespace mmt::heap

#pragma once
// What a client holds goes to the depot: its thread has ended, is idle, or wants all memory
// gathered. Nobody else uses the client meanwhile, and signals are blocked: what is given is
// forgotten before anybody looks. `self` names the caller for the depot lock, which it takes for a
// batch at a time.
#include <cstdint>

#include "heap/gates/leave.h"
#include "heap/object/client.h"

namespace mmt::heap {

// Empties the span in use. leave(batch) is called for what is left of it.
template <class Leave>
void empty_source(Client& client, SizeClass c, Leave&& leave) {
  Client::Source& source = client.sources[c];
  uint64_t left = 0;
  for (uint32_t i = 0; i < source.word_count; ++i)
    left |= i < source.word ? source.words[i] = 0 : source.words[i];
  // A span of which nothing is left may have been dissolved, and be another class's by now.
  if (left != 0) leave(Batch::of_words(c, source.base, source.words));
  client.drop_source(c);
}

// Does the same, and empties the cache.
template <class Leave>
void empty_class(Client& client, SizeClass c, Leave&& leave) {
  // That of a sweep which came to nothing reads as empty.
  const uint32_t cached = *client.fast.top[c] == nullptr ? 0 : client.cached(c);
  if (cached != 0) leave(Batch::of_blocks(c, client.sources[c].floor + 1, cached));
  empty_source(client, c, leave);
  client.drop(c);
}

// Puts all that is in its channel. False: somebody else reads there, or may not put it.
bool read_surplus(Heap& heap, uint32_t self, Client& client);

// Reclaims all that it has. False: as above; all else is done.
bool reclaim_client(Heap& heap, uint32_t self, Client& client);

// The same of a client whose thread has ended, if it is one.
void reclaim_zombie(Heap& heap, uint32_t self, Client& client);

// Reclaims the clients of all threads that have ended.
void reclaim_zombies(Heap& heap, uint32_t self);

}  // namespace mmt::heap

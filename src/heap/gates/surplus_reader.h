#pragma once
// The reading end of a client's channel. One reader at a time: the memory thread as a rule, else
// the client itself, or a thread that gathers all memory. It is tried for, and never waited for.
// What is put is so under the depot's lock, with signals blocked: no handler leaves a channel half
// read. One that leaves in between leaves the reader: see recover_readers.
#include <cstddef>
#include <cstdint>

#include "heap/object/client.h"

namespace mmt::heap {

struct Heap;

class SurplusReader {
 public:
  // A thread that comes for surplus alone puts so many batches at each hold of the lock.
  static constexpr size_t kBatchesAHold = 4;
  // A thread that does without it badly waits so long: others read for some microseconds.
  static constexpr uint32_t kSpins = 1000;

  // `self` names the calling thread. It tries `spins` times more.
  SurplusReader(Heap& heap, Client& client, uint32_t self, uint32_t spins = 0)
      : heap_(heap), client_(client), held_(client.reader.try_lock(self, spins)) {}
  // The owner is this thread, though a handler that forked has left it another id.
  ~SurplusReader() {
    if (held_) client_.reader.unlock(client_.reader.owner());
  }
  SurplusReader(const SurplusReader&) = delete;
  SurplusReader& operator=(const SurplusReader&) = delete;

  // False: somebody else reads. Nothing else may be called then.
  bool held() const { return held_; }
  // Inspects up to `most` batches, where blocks are inspected; how many may be put. The
  // depot's lock is not held.
  size_t look(size_t most);
  // Puts so many batches into the depot. False: more are waiting.
  bool put(LockToken lock, size_t count);

 private:
  Heap& heap_;
  Client& client_;
  bool held_;
};

// The caller's last Entry was abandoned, and held one perhaps.
void recover_readers(Heap& heap, uint32_t self);
// A fork's child: what another thread held is free, and what its only thread held it goes on to
// hold, by its new id.
void reset_readers_in_child(Heap& heap, uint32_t self, uint32_t before);

}  // namespace mmt::heap

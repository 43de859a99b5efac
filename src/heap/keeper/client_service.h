#pragma once
// The memory thread serves clients by these calls. It takes their surplus back into the bitmaps,
// takes over what ended threads left, and collects what came back past the channels. It holds the
// depot lock for a few batches at a time.
#include <cstdint>

#include "heap/object/client.h"

namespace mmt::heap {

// It is the memory thread's alone.
class ClientService {
 public:
  // kLast: none may follow for long. What could wait for some milliseconds is done now.
  enum class Look : uint8_t { kOneOfMany, kLast };

  explicit ClientService(Heap& heap) : heap_(heap) {}

  // `self` is the memory thread's identity for the depot lock.
  void open(uint32_t self) { self_ = self; }
  // Makes one round over all clients. True when there was something to do.
  bool serve_all(Look look = Look::kOneOfMany);
  // Some client's caches ran empty or over since this was asked last.
  bool were_used();
  // The result is 0 where some channel has surplus in it. It is positive where an ended thread's
  // client is left for one that follows, for so many ns at most. It is negative where neither is
  // so. The call looks at all clients.
  int64_t wait() const;
  // A step for spans and large blocks that were given back without a channel. True when there were
  // any.
  bool collect_returned();

 private:
  bool serve(Client& client, Look look);
  bool drain(Client& client);

  Heap& heap_;
  uint32_t self_ = 0;
  uint64_t use_seen_ = 0;
};

}  // namespace mmt::heap

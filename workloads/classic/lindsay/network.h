// These are the links of the cube. A node has a link to each neighbour, which carries one message
// at a time. A message of n words occupies the link for n + 1 units of time. Others wait in the
// link's queue. Messages go the way that mends the lowest differing bit of the node number first.
// This cannot deadlock.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "lindsay/event_queue.h"
#include "lindsay/message.h"

namespace mmt::workloads::classic::lindsay {

class Network {
 public:
  // The links' ends are noted in `events`, which must outlive the network.
  Network(size_t dimension, EventQueue* events);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // Puts a message that is at `node`, not its destination, on its way.
  void forward(Message* message, uint32_t node, uint64_t now);
  // The link has moved its first message, which is returned, to `node`; starts with the next one.
  Message* finish(uint32_t link, uint64_t now, uint32_t* node);

  size_t longest_queue() const { return longest_queue_; }

 private:
  void start(uint32_t link, uint64_t now);

  const uint32_t dimension_;
  const uint32_t links_;
  EventQueue* events_;
  MessageQueue* queues_;
  size_t longest_queue_ = 0;
};

}  // namespace mmt::workloads::classic::lindsay

#include "lindsay/network.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/memory.h"

namespace mmt::workloads::classic::lindsay {

Network::Network(size_t dimension, EventQueue* events)
    : dimension_(static_cast<uint32_t>(dimension)),
      links_(dimension_ << dimension),
      events_(events),
      queues_(static_cast<MessageQueue*>(allocate(links_ * sizeof(MessageQueue)))) {
  for (uint32_t i = 0; i < links_; ++i) ::new (&queues_[i]) MessageQueue;
}

Network::~Network() {
  for (uint32_t i = 0; i < links_; ++i) queues_[i].~MessageQueue();
  std::free(queues_);
}

void Network::forward(Message* message, uint32_t node, uint64_t now) {
  auto direction = static_cast<uint32_t>(std::countr_zero(node ^ message->destination));
  uint32_t link = node * dimension_ + direction;
  queues_[link].add(message);
  longest_queue_ = std::max(longest_queue_, queues_[link].size());
  if (queues_[link].size() == 1) start(link, now);
}

Message* Network::finish(uint32_t link, uint64_t now, uint32_t* node) {
  Message* message = queues_[link].take_first();
  ++message->hops;
  *node = link / dimension_ ^ 1u << link % dimension_;
  if (!queues_[link].empty()) start(link, now);
  return message;
}

void Network::start(uint32_t link, uint64_t now) {
  uint64_t duration = uint64_t{queues_[link].first()->length} + 1;
  events_->add(now + duration, Event::Kind::kLinkDone, link);
}

}  // namespace mmt::workloads::classic::lindsay

// Messages, each a heap block with its words, and queues of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/memory.h"

namespace mmt::workloads::classic::lindsay {

struct Message {
  Message* next;
  uint32_t source;
  uint32_t destination;
  uint32_t length;  // Words that follow in the block.
  uint32_t hops;

  uint64_t* words() { return reinterpret_cast<uint64_t*>(this + 1); }

  // Its words count up from `first`.
  static Message* create(uint32_t source, uint32_t destination, uint32_t length, uint64_t first) {
    auto* message = static_cast<Message*>(allocate(sizeof(Message) + length * sizeof(uint64_t)));
    *message = {nullptr, source, destination, length, 0};
    for (uint32_t i = 0; i < length; ++i) message->words()[i] = first + i;
    return message;
  }

  bool is_intact() {
    for (uint32_t i = 1; i < length; ++i) {
      if (words()[i] != words()[0] + i) return false;
    }
    return true;
  }
};

// First in, first out. Frees what is left in it.
class MessageQueue {
 public:
  MessageQueue() = default;
  ~MessageQueue() {
    while (first_ != nullptr) std::free(take_first());
  }
  MessageQueue(const MessageQueue&) = delete;
  MessageQueue& operator=(const MessageQueue&) = delete;

  bool empty() const { return first_ == nullptr; }
  size_t size() const { return size_; }
  Message* first() { return first_; }

  void add(Message* message) {
    message->next = nullptr;
    *(first_ == nullptr ? &first_ : &last_->next) = message;
    last_ = message;
    ++size_;
  }

  Message* take_first() {
    Message* taken = first_;
    first_ = taken->next;
    --size_;
    return taken;
  }

  // The oldest message from `source`, or null.
  Message* take_from(uint32_t source) {
    Message* before = nullptr;
    for (Message* message = first_; message != nullptr; before = message, message = message->next) {
      if (message->source != source) continue;
      if (before == nullptr) return take_first();
      before->next = message->next;
      if (last_ == message) last_ = before;
      --size_;
      return message;
    }
    return nullptr;
  }

 private:
  Message* first_ = nullptr;
  Message* last_ = nullptr;
  size_t size_ = 0;
};

}  // namespace mmt::workloads::classic::lindsay

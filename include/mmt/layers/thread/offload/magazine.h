// A client's free blocks of one size class: a stack of pointers, so that neither taking nor giving
// a block touches it. What was freed last is taken first; what leaves as surplus was freed first.
// One thread; the count may be read by any, as a guess. All zero is valid: no room.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>

namespace mmt::layers {

class Magazine {
 public:
  void open(void** entries, uint32_t room) {
    entries_ = entries;
    room_ = room;
  }
  bool is_open() const { return entries_ != nullptr; }
  bool is_empty() const { return count() == 0; }
  bool is_full() const { return count() == room_; }
  // Relaxed here and below: a guess for others, the thread's own value for itself.
  uint32_t count() const { return count_.load(std::memory_order_relaxed); }
  uint32_t room() const { return room_; }

  // It is not empty.
  void* pop() {
    const uint32_t last = count() - 1;
    set(last);
    return entries_[last];
  }
  // It is not full.
  void push(void* block) {
    const uint32_t next = count();
    entries_[next] = block;
    set(next + 1);
  }

  // The place where so many may be written, which added() then counts. The magazine is empty.
  void** bottom() { return entries_; }
  void added(uint32_t more) { set(count() + more); }

  // Gives those that were freed first.
  void* const* oldest() const { return entries_; }
  void drop_oldest(uint32_t dropped) {
    const uint32_t left = count() - dropped;
    std::memmove(entries_, entries_ + dropped, left * sizeof(void*));
    set(left);
  }

 private:
  void set(uint32_t count) { count_.store(count, std::memory_order_relaxed); }

  void** entries_ = nullptr;
  std::atomic<uint32_t> count_{0};
  uint32_t room_ = 0;
};

}  // namespace mmt::layers

// Up to four 32-bit values from one producer thread to one consumer thread in two cache lines: the
// server's supply of spans to one client, one box a size class. The producer's line carries the
// values, so a hit costs the consumer one miss; its own line is written by nobody else.
//
// Invariants: as SpscRing with kCapacity 4. What a value refers to is published with it.
// All zero is a valid empty box.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kMailboxPut{
    "mailbox.put", std::memory_order_release,
    "kMailboxSeeTail: the value and what it refers to are written before they are seen"};
inline constexpr OrderSite kMailboxSeeTail{
    "mailbox.see_tail", std::memory_order_acquire,
    "kMailboxPut: the value is read, and what it refers to used, only after they were written"};
inline constexpr OrderSite kMailboxTake{
    "mailbox.take", std::memory_order_release,
    "kMailboxSeeHead: the value was read before its place may be written again"};
inline constexpr OrderSite kMailboxSeeHead{
    "mailbox.see_head", std::memory_order_acquire,
    "kMailboxTake: the place is written again only after it was read"};
inline constexpr OrderSite kMailboxUnread{
    "mailbox.unread", std::memory_order_acquire,
    "kMailboxTake: what the last value but one referred to is used up before it is made anew"};

template <class Sync = RealSync>
class Mailbox {
 public:
  static constexpr uint32_t kCapacity = 4;

  // Producer. False when the box is full.
  bool put(uint32_t value) {
    const uint32_t tail = producer_.tail.load(kRelaxed);  // this thread wrote it
    if (tail - producer_.seen_head == kCapacity) {
      producer_.seen_head = consumer_.head.load(Sync::order(kMailboxSeeHead));
      if (tail - producer_.seen_head == kCapacity) return false;
    }
    producer_.values[tail % kCapacity] = value;
    producer_.tail.store(tail + 1, Sync::order(kMailboxPut));
    return true;
  }

  // Producer: how many values the consumer has not taken. What it took before the last of those it
  // has taken it no longer uses (it takes the next when it is done with one), so the producer may
  // write that again: with kCapacity + 1 buffers there is one whenever unread() < kCapacity.
  uint32_t unread() {
    producer_.seen_head = consumer_.head.load(Sync::order(kMailboxUnread));
    return producer_.tail.load(kRelaxed) - producer_.seen_head;  // this thread wrote the tail
  }

  // Consumer. False when the box is empty; *value is then unchanged.
  bool take(uint32_t* value) {
    const uint32_t head = consumer_.head.load(kRelaxed);  // this thread wrote it
    if (consumer_.seen_tail == head) {
      const uint32_t tail = producer_.tail.load(Sync::order(kMailboxSeeTail));
      if (tail == head) return false;  // nothing is written: the page of an unused box stays away
      consumer_.seen_tail = tail;
    }
    *value = producer_.values[head % kCapacity];
    consumer_.head.store(head + 1, Sync::order(kMailboxTake));
    return true;
  }

  // How many values were ever put and taken, modulo 2^32. Exact on the side that counts; relaxed,
  // a guess, for all others.
  uint32_t produced() const { return producer_.tail.load(kRelaxed); }
  uint32_t consumed() const { return consumer_.head.load(kRelaxed); }

 private:
  struct alignas(core::kCacheLine) ProducerSide {
    typename Sync::template Atomic<uint32_t> tail{};
    uint32_t seen_head = 0;
    typename Sync::template Plain<uint32_t> values[kCapacity]{};
  };
  struct alignas(core::kCacheLine) ConsumerSide {
    typename Sync::template Atomic<uint32_t> head{};
    uint32_t seen_tail = 0;
  };

  ProducerSide producer_;
  ConsumerSide consumer_;
};

}  // namespace mmt::sync

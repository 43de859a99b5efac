// A bounded queue from one producer thread to one consumer thread, with its storage inside: a ring
// like Lamport's (1983). Positions and sizes are numbers of entries.
// Entries are written in place (reserve, entry..., publish) and read in place (readable, at...,
// consume), so a batch costs one release store on each side.
//
// Invariants: positions only grow (modulo 2^32), and head <= tail <= end <= head + kCapacity.
// Entries in [head, tail) belong to the consumer, all others to the producer. Each side keeps the
// peer's position as last seen and reads the peer's line only when that is not enough.
// All zero is a valid empty ring. A role may move to another thread when the hand-over itself
// orders the two (a lock, thread creation or join). A producer publishes first what it has held, as
// only its own fence orders what it streamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kRingPublish{
    "spsc_ring.publish", std::memory_order_release,
    "kRingSeeTail: the entries are written before the consumer may read them"};
inline constexpr OrderSite kRingStreamFence{
    "spsc_ring.stream_fence", std::memory_order_release,
    "kRingPublish: entries written past the caches are there before it hands them over"};
inline constexpr OrderSite kRingSeeTail{
    "spsc_ring.see_tail", std::memory_order_acquire,
    "kRingPublish: the consumer reads entries only after they were written"};
inline constexpr OrderSite kRingSeeTailNow{"spsc_ring.see_tail_now", std::memory_order_acquire,
                                           "kRingPublish: as kRingSeeTail"};
inline constexpr OrderSite kRingConsume{
    "spsc_ring.consume", std::memory_order_release,
    "kRingSeeHead: the consumer has read an entry before the producer may overwrite it"};
inline constexpr OrderSite kRingSeeHead{
    "spsc_ring.see_head", std::memory_order_acquire,
    "kRingConsume: the producer overwrites an entry only after it was read"};

template <class T, uint32_t kCapacity, class Sync = RealSync>
class SpscRing {
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(kCapacity != 0 && (kCapacity & (kCapacity - 1)) == 0, "a power of two");
  static_assert(kCapacity <= (uint32_t{1} << 31), "positions are told apart modulo 2^32");

 public:
  using Entry = typename Sync::template Plain<T>;

  static constexpr uint32_t capacity() { return kCapacity; }

  // --- Producer ---

  // Is there room for `n` more entries? n <= kCapacity.
  bool reserve(uint32_t n) {
    const uint32_t end = producer_.end;
    if (MMT_LIKELY(kCapacity - (end - producer_.seen_head) >= n)) return true;
    producer_.seen_head = consumer_.head.load(Sync::order(kRingSeeHead));
    return kCapacity - (end - producer_.seen_head) >= n;
  }

  // The i-th entry after the last one handed over or held; i < n of the last reserve that said yes.
  Entry& entry(uint32_t i) { return entries_[(producer_.end + i) & kMask]; }

  // How many entries lie between that entry and the next one that begins a cache line.
  uint32_t to_line(uint32_t i) const { return (0u - producer_.end - i) & (kPerLine - 1); }

  // Writes `n` entries from the i-th on, which begins a cache line, past the caches. The lines are
  // not fetched from the consumer's cache before they are overwritten. It is for long batches.
  void stream(uint32_t i, const T* values, uint32_t n) {
    const uint32_t begin = (producer_.end + i) & kMask;
    const uint32_t first = n < kCapacity - begin ? n : kCapacity - begin;
    Sync::stream(&entries_[begin], values, first);
    Sync::stream(&entries_[0], values + first, n - first);
    producer_.streamed = true;
  }

  // Hands the first `n` reserved entries over, and what was held.
  void publish(uint32_t n) {
    hold(n);
    if (producer_.streamed) Sync::stream_fence(kRingStreamFence);
    producer_.streamed = false;
    producer_.tail.store(producer_.end, Sync::order(kRingPublish));
  }

  // Keeps the first `n` reserved entries back until the next publish(). What was streamed has left
  // the core by then, and the fence of publish() waits for nothing.
  void hold(uint32_t n) {
    MMT_DEBUG_CHECK(n <= kCapacity - (producer_.end - producer_.seen_head),
                    "published without room", n);
    producer_.end += n;
  }
  void publish_held() {
    if (producer_.end != producer_.tail.load(kRelaxed)) publish(0);  // this thread wrote it
  }

  // A fork's child, for a producer that is not there: what it held may not be written.
  void forget_held_in_child() {
    producer_.end = producer_.tail.load(kRelaxed);
    producer_.streamed = false;
  }

  // Starts again from the first entry, so that few pages of the ring are used. It is empty, nothing
  // is held, and the caller is producer and consumer.
  void rewind() {
    MMT_DEBUG_CHECK(producer_.end == consumer_.head.load(kRelaxed), "the ring is not empty");
    producer_.tail.store(0, kRelaxed);
    consumer_.head.store(0, kRelaxed);
    producer_.seen_head = producer_.end = consumer_.seen_tail = 0;
  }

  // Where its entries lie, up to its end.
  char* storage() { return reinterpret_cast<char*>(entries_); }

  // How many entries were ever published, modulo 2^32.
  uint32_t producer_position() const { return producer_.tail.load(kRelaxed); }  // own value

  // Asks for the lines that the next `n` entries will be written to.
  void prefetch_write(uint32_t n) const {
    const uint32_t end = producer_.end;
    for (uint32_t i = 0; i < n; i += kPerLine) Sync::prefetch_write(&entries_[(end + i) & kMask]);
    if (n != 0) Sync::prefetch_write(&entries_[(end + n - 1) & kMask]);
  }

  // --- Consumer ---

  // How many entries can be read. Looks at the producer's line only when it knows of none, so
  // the answer may lag, but is 0 only when the ring was empty.
  uint32_t readable() {
    const uint32_t head = consumer_.head.load(kRelaxed);  // this thread wrote it
    if (consumer_.seen_tail == head) {
      consumer_.seen_tail = producer_.tail.load(Sync::order(kRingSeeTail));
    }
    return consumer_.seen_tail - head;
  }

  // As readable(), but always looks: every entry published before the call is counted.
  uint32_t readable_now() {
    const uint32_t readable = readable_to_others();
    consumer_.seen_tail = consumer_.head.load(kRelaxed) + readable;  // this thread wrote head
    return readable;
  }

  // The same for a thread that keeps the consumer from consuming meanwhile, and has seen what it
  // did before.
  uint32_t readable_to_others() const {
    return producer_.tail.load(Sync::order(kRingSeeTailNow)) - consumer_.head.load(kRelaxed);
  }

  // The i-th unread entry; i < readable().
  const Entry& at(uint32_t i) const {
    return entries_[(consumer_.head.load(kRelaxed) + i) & kMask];  // this thread wrote it
  }

  // Calls visit(entries, count) for the `n` unread entries from the i-th on, where they lie, in one
  // or two pieces. Needs i + n <= readable() and n != 0.
  template <class Visit>
  void read(uint32_t i, uint32_t n, Visit&& visit) const {
    const uint32_t begin = (consumer_.head.load(kRelaxed) + i) & kMask;  // this thread wrote it
    const uint32_t first = n < kCapacity - begin ? n : kCapacity - begin;
    visit(&entries_[begin], first);
    if (first != n) visit(&entries_[0], n - first);
  }

  // Gives the first `n` entries back; n <= readable().
  void consume(uint32_t n) {
    const uint32_t head = consumer_.head.load(kRelaxed);  // this thread wrote it
    MMT_DEBUG_CHECK(n <= consumer_.seen_tail - head, "consumed more than was readable", n);
    consumer_.head.store(head + n, Sync::order(kRingConsume));
  }

  // --- Any thread ---

  // A guess at the number of entries, within [0, kCapacity]. Relaxed: nothing may follow from it.
  uint32_t size_hint() const {
    const uint32_t head = consumer_.head.load(kRelaxed);
    const uint32_t size = producer_.tail.load(kRelaxed) - head;
    return size <= kCapacity ? size : kCapacity;
  }

 private:
  static constexpr uint32_t kMask = kCapacity - 1;
  static constexpr uint32_t kPerLine =
      sizeof(T) < core::kCacheLine ? static_cast<uint32_t>(core::kCacheLine / sizeof(T)) : 1;

  struct alignas(core::kNoSharing) ProducerSide {
    typename Sync::template Atomic<uint32_t> tail{};
    uint32_t seen_head = 0;
    uint32_t end = 0;  // of what is handed over or held; tail <= end
    bool streamed = false;
  };
  struct alignas(core::kNoSharing) ConsumerSide {
    typename Sync::template Atomic<uint32_t> head{};
    uint32_t seen_tail = 0;
  };

  ProducerSide producer_;
  ConsumerSide consumer_;
  alignas(core::kNoSharing) Entry entries_[kCapacity]{};
};

}  // namespace mmt::sync

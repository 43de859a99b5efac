// Entries listed and taken singly, by any number of threads: Treiber's stack (1986) of indices. The
// head counts its changes, so that an exchange fails where an entry left and came back meanwhile
// (ABA). The count comes round after 2^32 changes.
//
// A link is an entry's index + 1; 0 ends the list. Links lie in the entries, where also the owner
// of an entry may write: a link read too late is never used. All zero is a valid empty list.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kCountedPut{
    "counted_list.put", std::memory_order_release,
    "kCountedSee: the entry and its link are written before it is found; later changes pass it on"};
inline constexpr OrderSite kCountedSee{"counted_list.see", std::memory_order_acquire,
                                       "kCountedPut: an entry is read only after it was written"};

template <class Sync = RealSync>
class CountedList {
 public:
  using Link = typename Sync::template Atomic<uint32_t>;

  // Any thread; `link_of(link)` is where the entry keeps the link of its next. Never waits: a round
  // that fails is another thread's success.
  template <class LinkOf>
  void put(uint32_t entry, LinkOf&& link_of) {
    Link& next = link_of(entry);
    uint64_t head = head_.load(kRelaxed);
    do {
      next.store(static_cast<uint32_t>(head), kRelaxed);
    } while (!head_.compare_exchange_strong(head, changed(head, entry), Sync::order(kCountedPut),
                                            kRelaxed));
  }

  // Any thread: the link of the newest entry, which is the caller's now. 0: there is none.
  template <class LinkOf>
  uint32_t take(LinkOf&& link_of) {
    for (;;) {
      uint64_t head = head_.load(Sync::order(kCountedSee));
      const auto entry = static_cast<uint32_t>(head);
      if (entry == 0) return 0;
      const uint32_t next = link_of(entry).load(kRelaxed);
      if (head_.compare_exchange_strong(head, changed(head, next), kRelaxed, kRelaxed))
        return entry;
    }
  }

 private:
  static uint64_t changed(uint64_t head, uint32_t link) {
    return (((head >> 32) + 1) << 32) | link;
  }

  typename Sync::template Atomic<uint64_t> head_{};
};

}  // namespace mmt::sync

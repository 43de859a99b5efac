// Entries of a table, listed by any number of threads, taken all at once: a way to leave something
// for the next holder of a lock without waiting for it. The links live in the entries themselves.
//
// A link is an entry's index + 1; 0 ends the list. Entries come newest first. Nobody takes a single
// entry, so an entry cannot leave and come back while another is being added before it (no ABA).
// All zero is a valid empty list.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kListAdd{"index_list.add", std::memory_order_release,
                                    "kListTake: an entry and its link are written before it is "
                                    "taken; entries added later pass it on"};
inline constexpr OrderSite kListTake{
    "index_list.take", std::memory_order_acquire,
    "kListAdd: entries and links are read only after they were written"};

template <class Sync = RealSync>
class IndexList {
 public:
  // Any thread. `set_link(link)` stores the link in the entry, which nobody else uses; it may be
  // called several times. Never waits: a round that fails is another thread's success.
  template <class SetLink>
  void add(uint32_t index, SetLink&& set_link) {
    uint32_t head = head_.load(kRelaxed);
    do {
      set_link(head);
    } while (!head_.compare_exchange_strong(head, index + 1, Sync::order(kListAdd), kRelaxed));
  }

  // Any thread: the link of the newest entry, and with it the caller has them all. 0: there is
  // none.
  uint32_t take_all() {
    // Relaxed: a quiet list's line stays shared.
    if (head_.load(kRelaxed) == 0) return 0;
    return head_.exchange(0, Sync::order(kListTake));
  }

  // Any thread. Relaxed: a guess.
  bool empty() const { return head_.load(kRelaxed) == 0; }

 private:
  typename Sync::template Atomic<uint32_t> head_{};
};

}  // namespace mmt::sync

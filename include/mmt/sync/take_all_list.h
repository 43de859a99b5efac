// Entries are listed by any number of threads, and taken all at once. So a thread can leave
// something for the next holder of a lock without waiting for it. The links live in the entries, as
// in Treiber's stack (1986).
//
// A link is what finds an entry: its address, or its index + 1; 0 ends the list. Entries come
// newest first. Nobody takes a single entry, so an entry cannot leave and come back while another
// is being added before it (no ABA). All zero is a valid empty list.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kListAdd{"take_all_list.add", std::memory_order_release,
                                    "kListTake: an entry and its link are written before it is "
                                    "taken; entries added later pass it on"};
inline constexpr OrderSite kListTake{
    "take_all_list.take", std::memory_order_acquire,
    "kListAdd: entries and links are read only after they were written"};

template <class Link = uint32_t, class Sync = RealSync>
class TakeAllList {
 public:
  // Any thread may call it. `set_next(link)` stores the link of the next in the entry, which nobody
  // else uses; it may be called several times. Never waits: a round that fails is another thread's
  // success.
  template <class SetNext>
  void add(Link entry, SetNext&& set_next) {
    Link head = head_.load(kRelaxed);
    do {
      set_next(head);
    } while (!head_.compare_exchange_strong(head, entry, Sync::order(kListAdd), kRelaxed));
  }

  // Any thread: the link of the newest entry, and with it the caller has them all. 0: there is
  // none.
  Link take_all() {
    // Relaxed: a quiet list's line stays shared.
    if (head_.load(kRelaxed) == Link{}) return Link{};
    return head_.exchange(Link{}, Sync::order(kListTake));
  }

  // Any thread may call it. Relaxed: it is a guess.
  bool empty() const { return head_.load(kRelaxed) == Link{}; }

 private:
  typename Sync::template Atomic<Link> head_{};
};

}  // namespace mmt::sync

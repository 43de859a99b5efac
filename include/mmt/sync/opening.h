// Something that the first thread to need it opens, while others wait. A failed attempt may be made
// again.
//
// States and legal calls:
//   - closed   begin() by any thread that needs it; one wins.
//   - opening  the winner opens, and calls finish(); the others wait until the state is another.
//   - open     for good.
//
// A thread that sees it open, or wins after another's attempt has failed, sees all that was done
// before. All zero is valid: closed.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kOpeningSee{"opening.see", std::memory_order_acquire,
                                       "kOpeningFinish: it is used only after it was opened"};
inline constexpr OrderSite kOpeningBegin{
    "opening.begin", std::memory_order_acquire,
    "kOpeningFinish: a failed attempt is over before the next"};
inline constexpr OrderSite kOpeningFinish{
    "opening.finish", std::memory_order_release,
    "kOpeningSee and kOpeningBegin: opened, or given up, before others go on"};

template <class Sync = RealSync>
class Opening {
 public:
  enum State : uint32_t { kClosed = 0, kOpening, kOpen };

  State state() const { return static_cast<State>(state_.load(Sync::order(kOpeningSee))); }

  // closed -> opening. False: it is open, or another thread opens it.
  bool begin() {
    uint32_t expected = kClosed;
    return state_.compare_exchange_strong(expected, kOpening, Sync::order(kOpeningBegin), kRelaxed);
  }
  // opening -> open, or closed again.
  void finish(bool opened) { state_.store(opened ? kOpen : kClosed, Sync::order(kOpeningFinish)); }

 private:
  typename Sync::template Atomic<uint32_t> state_{};
};

}  // namespace mmt::sync

// Knows whether there is a server (one at most), and who starts it. The client whose allocation
// crosses the threshold starts it, again when it has ended, and in a fork's child. States, calls:
//   - not started  claim_start() by any client; one wins.
//   - starting     the winner makes the thread, which calls running(), keep_house() or end(); or
//                  calls stay_away(), fail() or end().
//   - running      the server: keep_house(), and end() as the last thing it does.
//   - keeping      one CPU, or a tight quota: the server only gives memory back. Everybody serves
//                  himself. The server: running(), and end() as the last thing it does.
//   - away         for good: switched off. Everybody serves himself.
//   - failed       for good: the system forbids the thread. The same.
//
// Relaxed but for the hand-over between servers: a server's first reads are ordered by the creation
// of its thread. A client that mistakes the state only takes the slower of two correct ways. Work
// left to a server that is not there waits in the channel, and every server begins with a look at
// all channels. All zero is valid: not started.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kRoleClaimStart{
    "server_role.claim_start", std::memory_order_acquire,
    "kRoleEnd: the last server is done with what the next goes on with"};
inline constexpr OrderSite kRoleEnd{
    "server_role.end", std::memory_order_release,
    "kRoleClaimStart: the last server is done with what the next goes on with"};

template <class Sync = RealSync>
class ServerRole {
 public:
  enum State : uint32_t { kNotStarted = 0, kStarting, kRunning, kAway, kFailed, kKeeping };

  bool claim_start() {
    uint32_t expected = kNotStarted;
    // Relaxed: only the exchange that succeeds is ordered; the load spares the line.
    return state_.load(kRelaxed) == kNotStarted &&
           state_.compare_exchange_strong(expected, kStarting, Sync::order(kRoleClaimStart),
                                          kRelaxed);
  }
  void running() { state_.store(kRunning, kRelaxed); }
  void keep_house() { state_.store(kKeeping, kRelaxed); }
  void stay_away() { state_.store(kAway, kRelaxed); }
  void fail() { state_.store(kFailed, kRelaxed); }
  void end() { state_.store(kNotStarted, Sync::order(kRoleEnd)); }

  bool is_running() const { return state_.load(kRelaxed) == kRunning; }
  State state() const { return static_cast<State>(state_.load(kRelaxed)); }

  // A fork's child: its server is not there.
  void reset_in_child() { state_.store(kNotStarted, kRelaxed); }

 private:
  typename Sync::template Atomic<uint32_t> state_{};
};

}  // namespace mmt::sync

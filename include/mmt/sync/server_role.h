// Is there a server, and who starts it: at most one at a time, started by the client whose
// allocation crosses the threshold, again in a fork's child.
//
// States and legal calls:
//   absent    claim_start() by any client; one wins.
//   starting  the winner makes the thread, then running() or give_up().
//   running   until the process ends, or reset_in_child().
//   given up  no server in this process: everybody serves himself.
// Relaxed throughout: what the server reads first was ordered by the creation of its thread, and
// a client that takes the state for another than it is only takes the slower of two correct ways:
// work left to a server that is not there waits in the channel, and a server starts with
// Doorbell::ring_all(). All zero is valid: absent.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

template <class Sync = RealSync>
class ServerRole {
 public:
  enum State : uint32_t { kAbsent = 0, kStarting, kRunning, kGivenUp };

  bool claim_start() {
    uint32_t absent = kAbsent;
    return state_.load(kRelaxed) == kAbsent &&
           state_.compare_exchange_strong(absent, kStarting, kRelaxed, kRelaxed);
  }
  void running() { state_.store(kRunning, kRelaxed); }
  void give_up() { state_.store(kGivenUp, kRelaxed); }

  bool is_running() const { return state_.load(kRelaxed) == kRunning; }
  State state() const { return static_cast<State>(state_.load(kRelaxed)); }

  // A fork's child: its server is not there.
  void reset_in_child() { state_.store(kAbsent, kRelaxed); }

 private:
  typename Sync::template Atomic<uint32_t> state_{};
};

}  // namespace mmt::sync

// One node of the cube: where it is in the script, its variables, its messages and its work.
// Runs statements until it computes, waits or ends; what it waits for is for the cube to bring
// about.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.h"
#include "lindsay/evaluate.h"
#include "lindsay/message.h"
#include "lindsay/script.h"

namespace mmt::workloads::classic::lindsay {

class Node {
 public:
  enum class State : uint8_t { kReady, kComputing, kReceiving, kAtBarrier, kDone };

  // Number `number` of 2^dimension; the script must outlive it.
  Node(const Script& script, uint32_t number, size_t dimension, int64_t scale);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Runs from time `now` to the next state that is not ready. Messages that it sends are added to
  // `sent`. Statements are taken off `budget`; a script that uses it up is bad input.
  State run(uint64_t now, MessageQueue* sent, uint64_t* budget);
  // After run() returned kComputing: for how long.
  uint64_t busy_for() const { return busy_for_; }
  // A message has arrived; true if the node waits for it, and so should run again.
  bool deliver(Message* message);
  void make_ready() { state_ = State::kReady; }

  State state() const { return state_; }
  size_t line() const { return current_ == nullptr ? 0 : current_->line; }
  size_t unread() const { return inbox_.size(); }
  uint64_t steps() const { return steps_; }
  uint64_t work_state() const { return work_state_; }
  // What its work began with.
  static uint64_t initial_work(uint32_t number) { return number + uint64_t{1}; }

 private:
  // A block that is being run: the next statement, and the loop to go round in when there is none.
  struct Frame {
    const Statement* next;
    const Statement* loop;
    int64_t rounds;  // Those of a `repeat` that are still to come.
  };

  int64_t value_of(const Expression* expression);
  void enter(const Statement* statement);
  bool go_round();
  // False if the node cannot go on: its state says why, and the statement is to be run again.
  bool execute(const Statement* statement, MessageQueue* sent);
  void send(const Statement* statement, MessageQueue* sent);
  bool receive(const Statement* statement);
  void compute(const Statement* statement);

  const Script& script_;
  State state_ = State::kReady;
  const Statement* current_ = nullptr;
  Array<Frame> frames_;
  int64_t* variables_;
  MessageQueue inbox_;
  int64_t awaited_ = -1;  // While receiving: from whom; -1 for any.
  uint64_t busy_for_ = 0;
  uint64_t work_state_;
  uint64_t steps_ = 0;
};

}  // namespace mmt::workloads::classic::lindsay

#include "lindsay/cube.h"

#include <bit>
#include <cstdlib>
#include <new>

#include "base/fail.h"
#include "base/memory.h"
#include "lindsay/lexer.h"
#include "lindsay/work.h"

namespace mmt::workloads::classic::lindsay {

Cube::Cube(const Script& script, size_t dimension, int64_t scale)
    : script_(script),
      count_(1u << dimension),
      network_(dimension, &events_),
      nodes_(static_cast<Node*>(allocate(count_ * sizeof(Node)))) {
  for (uint32_t i = 0; i < count_; ++i) ::new (&nodes_[i]) Node(script, i, dimension, scale);
}

Cube::~Cube() {
  for (uint32_t i = 0; i < count_; ++i) nodes_[i].~Node();
  std::free(nodes_);
}

Outcome Cube::run(uint64_t budget) {
  budget_ = budget;
  for (uint32_t i = 0; i < count_; ++i) events_.add(0, Event::Kind::kNodeReady, i);
  while (!events_.empty()) {
    Event event = events_.take_first();
    check(event.time >= now_, "time goes back");
    now_ = event.time;
    if (event.kind == Event::Kind::kNodeReady) {
      run_node(event.target);
    } else {
      uint32_t node;
      Message* message = network_.finish(event.target, now_, &node);
      arrive(message, node);
    }
  }
  check_end();
  outcome_.time = now_;
  outcome_.longest_queue = network_.longest_queue();
  return outcome_;
}

void Cube::run_node(uint32_t number) {
  Node& node = nodes_[number];
  MessageQueue sent;
  Node::State state = node.run(now_, &sent, &budget_);
  if (state == Node::State::kComputing) {
    events_.add(now_ + node.busy_for(), Event::Kind::kNodeReady, number);
  } else if (state == Node::State::kAtBarrier && ++at_barrier_ == count_) {
    open_barrier();
  } else if (state == Node::State::kDone) {
    ++done_;
  }
  while (!sent.empty()) {
    Message* message = sent.take_first();
    ++outcome_.messages;
    hops_wanted_ += static_cast<uint64_t>(std::popcount(number ^ message->destination));
    if (message->destination == number) {
      arrive(message, number);
    } else {
      network_.forward(message, number, now_);
    }
  }
}

// Synchronising costs a message of no words to and fro across the cube.
void Cube::open_barrier() {
  at_barrier_ = 0;
  uint64_t cost = 2 * static_cast<uint64_t>(std::bit_width(count_) - 1);
  for (uint32_t i = 0; i < count_; ++i) {
    nodes_[i].make_ready();
    events_.add(now_ + cost, Event::Kind::kNodeReady, i);
  }
}

void Cube::arrive(Message* message, uint32_t number) {
  if (message->destination != number) return network_.forward(message, number, now_);
  outcome_.hops += message->hops;
  if (!nodes_[number].deliver(message)) return;
  nodes_[number].make_ready();  // Before the next message, which must not wake it twice.
  events_.add(now_, Event::Kind::kNodeReady, number);
}

void Cube::check_end() {
  for (uint32_t i = 0; i < count_; ++i) {
    Node& node = nodes_[i];
    if (node.state() != Node::State::kDone) {
      bad_input("%s:%zu: node %u waits for ever", script_.name(), node.line(), i);
    }
    if (node.unread() != 0) {
      bad_input("%s: node %u ends with %zu messages unread", script_.name(), i, node.unread());
    }
    check(node.work_state() == work_at_once(Node::initial_work(i), node.steps()),
          "the work of a node has another result");
    outcome_.steps += node.steps();
    outcome_.checksum = (outcome_.checksum ^ node.work_state()) * kFactor;
  }
  check(outcome_.hops == hops_wanted_, "messages did not take the shortest way");
}

}  // namespace mmt::workloads::classic::lindsay

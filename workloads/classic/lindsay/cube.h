// The cube: its nodes, the network between them, and the time that passes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lindsay/event_queue.h"
#include "lindsay/network.h"
#include "lindsay/node.h"
#include "lindsay/script.h"

namespace mmt::workloads::classic::lindsay {

struct Outcome {
  uint64_t time = 0;
  uint64_t messages = 0;
  uint64_t hops = 0;
  uint64_t steps = 0;
  uint64_t checksum = 0;
  size_t longest_queue = 0;
};

class Cube {
 public:
  static constexpr size_t kMaxDimension = 16;

  Cube(const Script& script, size_t dimension, int64_t scale);
  ~Cube();
  Cube(const Cube&) = delete;
  Cube& operator=(const Cube&) = delete;

  // Runs all nodes to their end, of at most `budget` statements in all. Nodes that wait for each
  // other, and messages that nobody reads, are the script's mistakes.
  Outcome run(uint64_t budget);

 private:
  void run_node(uint32_t number);
  void arrive(Message* message, uint32_t number);
  void open_barrier();
  void check_end();

  const Script& script_;
  const uint32_t count_;
  EventQueue events_;
  Network network_;
  Node* nodes_;
  uint64_t now_ = 0;
  uint64_t budget_ = 0;
  uint32_t at_barrier_ = 0;
  uint32_t done_ = 0;
  uint64_t hops_wanted_ = 0;  // The sum of all distances between sender and receiver.
  Outcome outcome_;
};

}  // namespace mmt::workloads::classic::lindsay

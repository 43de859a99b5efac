#pragma once
// Takes surplus back for as long as it comes, and stands back where that takes a CPU from the
// program.
#include <cstdint>

#include "heap/keeper/crowding.h"
#include "heap/keeper/keeper_round.h"

namespace mmt::heap {

class Drain {
 public:
  explicit Drain(KeeperRound& round) : round_(round) {}

  bool run(uint64_t now);
  int64_t wait(uint64_t now) const;
  // It has come to the end of its turn, and more was there.
  bool is_amid() const { return is_amid_; }

 private:
  KeeperRound& round_;
  Crowding crowding_;
  bool is_amid_ = false;
};

}  // namespace mmt::heap

#pragma once
// These functions tell which parts of the program break are the library's. Above where the break
// was as we were loaded, all is the library's but for what the program itself has moved the break
// by. Memory is made resident in steps, of one thread. A step and a move of the program's exclude
// each other, so that no step goes on in what has become the program's meanwhile.
#include <cstdint>

namespace mmt::beside {

// From there on the break is the library's: as it is loaded, before there is another thread.
void begin_break(uintptr_t at);

// The program moves the break, while one of these lives: first it waits for the end of a step. The
// thread that moves the break makes one, one at a time.
class ProgramsMove {
 public:
  ProgramsMove();
  ~ProgramsMove();
  ProgramsMove(const ProgramsMove&) = delete;
  ProgramsMove& operator=(const ProgramsMove&) = delete;
  // Upwards, what lies between is the program's own; downwards, what comes is the library's again.
  void note(uintptr_t from, uintptr_t to);
};

// A step, while one of these lives. What is known of the break is true until its end. One thread
// may use it.
class BreakStep {
 public:
  BreakStep();
  ~BreakStep();
  BreakStep(const BreakStep&) = delete;
  BreakStep& operator=(const BreakStep&) = delete;
  // False: the program is moving the break.
  bool may_go_on() const { return may_go_on_; }

 private:
  bool may_go_on_;
};

// A fork's child, in which nobody steps or moves.
void reset_break_parts_in_child();

// The end of the library's part in which the address lies; 0: in none, or the program is moving the
// break. Any thread may call it.
uintptr_t end_of_break_at(uintptr_t address);
// Changes before and after the program moves it. Any thread may call it.
uint32_t break_version();

}  // namespace mmt::beside

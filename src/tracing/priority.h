// How eagerly `mmt trace` asks for a CPU beside the program that it records.
#pragma once

namespace mmt::tracing {

// The priority of the calling thread. The program goes first where every CPU is busy. What it
// records may lie until a CPU is free, as long as there is room for it.
class Priority {
 public:
  // Call it once the program is started, which would have it, too.
  void let_others_first();
  // Room is short, so the program is about to wait; or it is not. Where only privileged processes
  // may go back to what they were, nothing is changed.
  void set_urgent(bool is_urgent);

 private:
  bool is_set_ = false;
  bool is_urgent_ = false;
  int first_ = 0;     // before anything was set
  int yielding_ = 0;  // when nothing is urgent
};

}  // namespace mmt::tracing

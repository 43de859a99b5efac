#pragma once
// The prefaulter makes memory ahead of the heap's frontier resident, so that the application does
// not fault it in itself. It makes one small step a call, at most a stated share of the heap ahead.
// It does so only while the heap grows fast, by blocks of kinds that are known to be used densely
// (samples.h).
//
// Huge pages make a heap faster to walk and, as a rule, five to ten times cheaper to fault in. A
// huge page can take milliseconds where the host has to find the memory. So huge pages are asked
// for step by step, ahead of use, and their price is measured. A huge page that was dear puts the
// next off until the heap has doubled. The application's own faults are always small pages.
#include <cstddef>
#include <cstdint>

#include "heap/keeper/growth_rate.h"
#include "heap/object/client.h"

namespace mmt::heap {

class Prefaulter {
 public:
  explicit Prefaulter(Heap& heap) : heap_(heap) {}

  // `now` is monotonic, ns. True when it did something.
  bool step(uint64_t now);

 private:
  void measure_growth(uint64_t now, size_t frontier);
  void measure_density(size_t frontier);
  bool huge_step(size_t frontier);
  bool is_all_ours(size_t from, size_t end) const;
  size_t start_of_advice(size_t from) const;
  void note_advice(size_t from, size_t end);
  bool small_step(size_t frontier);
  bool within_lead(size_t from, size_t bytes, size_t frontier) const;

  // As the memory thread sleeps for some: see pace.h.
  static constexpr size_t kMillisecondsAhead = 8;

  Heap& heap_;
  GrowthRate rate_{kMillisecondsAhead};
  size_t frontier_seen_ = 0;
  size_t other_seen_ = 0;       // bytes behind the frontier, so far, that needed no new memory
  size_t looked_through_ = 0;   // slots
  size_t grown_slots_ = 0;      // since the last verdict
  size_t dense_slots_ = 0;      // of kinds that are used densely
  bool grows_densely_ = false;  // all but an eighth of what has grown
  size_t last_frontier_ = 0;
  size_t advised_through_ = 0;  // end of what huge pages were asked for last
  size_t huge_in_a_row_ = 0;
  size_t small_through_ = 0;  // no huge pages below
  size_t next_huge_ = 0;      // frontier from which huge pages may be tried (again)
};

}  // namespace mmt::heap

#pragma once
// The purger gives free memory back to the OS as it ages. The bound by time takes memory that has
// been free and untouched for a whole decay interval. The bound by ratio takes memory beyond a part
// of the memory in use, much earlier. Spans whose free blocks nobody took or put back for a decay
// interval are thinned. The memory that they hold in whole free pages goes as well. The purger
// works in bounded runs with the depot lock released around the system call.
#include <cstddef>
#include <cstdint>

#include "heap/store/discard.h"
#include "heap/store/region.h"

namespace mmt::heap {

struct Heap;

class Purger {
 public:
  explicit Purger(Heap& heap) : heap_(heap) {}

  // Free memory beyond this floor plus this part of what is in use is given back when it was there
  // for so long. So structures that are torn down and built again find their memory as they left
  // it.
  static constexpr uint64_t kExcessIntervalNs = 200'000'000;
  static constexpr size_t kDirtyFloor = size_t{16} << 20;
  // This is the floor while clients are thrifty (thrift.h). All of a server's many threads may be
  // amid a request at some moment, and hardly any at the next. Several processes of the server each
  // keep that.
  static constexpr size_t kThriftyDirtyFloor = size_t{2} << 20;
  static constexpr size_t kDirtyShare = 8;

  // `self` is the caller's identity for the depot lock; `discard` is how it gives pages
  // back, if not by a system call.
  void open(uint64_t decay_ns, uint32_t self, store::Discard discard = nullptr);

  // Does what is due at `now`. True: there is more to do at once.
  bool run(uint64_t now);

  // How long the memory thread may sleep before run() has work; negative: without limit.
  int64_t wait_ns(uint64_t now) const;

  // Gives all free memory back, at once. True when there was any.
  bool purge_everything();

  // Whether more memory lies free than the bound by ratio allows. Any thread may call it.
  static bool is_excess(Heap& heap);

  // So many bytes of free memory are no excess, whatever is in use; kKeepAll: nothing goes back by
  // itself. It takes the place of kDirtyFloor. Any thread may call it; a fork's child inherits it.
  static void set_floor(Heap& heap, size_t bytes);

 private:
  uint64_t clock_ns() const;
  bool purge(bool aged_only);
  void tick();
  bool purge_excess(uint64_t now);
  bool thin();
  void thin_if_due(uint64_t now);
  static size_t floor(Heap& heap);
  static size_t bound(Heap& heap);
  template <class Begin>
  size_t purge_run(Begin&& begin, store::Slot* first, bool* purged);

  Heap& heap_;
  store::Discard discard_ = nullptr;
  uint64_t decay_ns_ = 0;
  uint64_t next_tick_ = 0;
  uint64_t next_excess_ = 0;
  size_t excess_ = 0;  // still to be given back
  uint32_t self_ = 0;
  uint64_t next_look_ = 0;
  int looks_left_ = 0;  // at the spans, until those touched last have been thinned
};

// Gives free memory back to the OS at once. True when some was given. Takes the depot lock.
bool purge_all(Heap& heap);

}  // namespace mmt::heap

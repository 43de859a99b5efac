#pragma once
// The sweeper takes back what idle threads hold, without their help: caches, spans, surplus, and
// the pages of the client itself. It is part of the memory thread, whatever the thread's duty.
// A client is idle when nothing in it has changed from one look to the next. For all idle ones:
// 1. swept_now is set; a barrier. From now on the client's thread opens no Entry on it, but is
//    served as one without a client. A client with an open Entry is left alone.
// 2. each client's limits become null, so that every push finds its cache full; a barrier, which
//    also restarts the sequences under way.
// 3. each top is exchanged for &swept_entry, which reads as empty; a barrier. Only a pop may have
//    interfered. If the top is another now, the pop's commit came last. The class then keeps its
//    cache, whose blocks nobody has touched. Otherwise the blocks are the sweeper's, as all else in
//    the client.
// 4. all goes to the depot, and limits and swept_now become what they were.
// The barriers restart sequences (rseq) and are full fences in every thread. A fork's child, whose
// parent's sweeper was amid this, calls undo_sweep_in_child.
#include <cstdint>

#include "heap/object/heap.h"

namespace mmt::heap {

class Sweeper {
 public:
  explicit Sweeper(Heap& heap) : heap_(heap) {}

  // `self` is the caller's identity for the depot lock.
  void open(uint64_t decay_ns, uint32_t self);

  // Somebody used the heap.
  void note_use(uint64_t now);
  // Looks, and sweeps, when that is due. True: something was given back.
  bool run(uint64_t now);
  // How long until run() has work; negative: not before somebody uses the heap.
  int64_t wait_ns(uint64_t now) const;

 private:
  bool look();
  template <class Visit>
  void for_each_idle(Visit&& visit);
  bool pass_barrier();
  void let_go();
  bool begin();
  bool take_caches();
  void give_all(Client& client);
  void give_class(Client& client, SizeClass c);

  Heap& heap_;
  uint64_t interval_ns_ = 0;
  uint64_t next_look_ = 0;
  uint32_t self_ = 0;
  bool pending_ = false;
  bool idle_[kMaxClients] = {};  // those being swept
  uint32_t idle_count_ = 0;
};

// The depot lock is held, and no other thread is there.
void undo_sweep_in_child(Client& client);

}  // namespace mmt::heap

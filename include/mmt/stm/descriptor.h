// One thread's transaction as the designs see it: its snapshot, what it read and wrote, and why it
// ended. What is here belongs to the thread alone, but any thread may read `counts`.
//
// States of an attempt: running; doomed once an operation has said no, which has already let go of
// all locks and undone what was written. A doomed attempt is only ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/stm/log.h>
#include <mmt/stm/shared.h>
#include <mmt/stm/statistics.h>
#include <mmt/stm/write_index.h>

namespace mmt::stm {

template <class World>
struct Descriptor {
  using Word = typename World::Word;
  using Orec = typename Orecs<World>::Orec;
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Read {
    const Orec* orec;
    uint64_t seen;
  };
  struct ReadValue {  // NOrec
    const Word* at;
    uint64_t value;
    Part part;
  };
  struct Write {
    Word* at;
    uint64_t value;  // to be written; write-through: what was there
    uint64_t mask;   // which bytes of it; 0: the word is locked only
    Orec* orec;
    uint64_t before;  // of the orec, where `owns`
    uint32_t next;    // of the same orec
    bool owns;        // the first of its orec
  };

  Descriptor(Shared<World>& memory, uint32_t number)
      : orecs(memory.orecs.finder()),
        unusual(orecs.masks() && memory.options.validate_every == 0 ? 7 : ~uintptr_t{0}),
        reads(memory.options.supply),
        self(number),
        shared(memory),
        read_words(memory.options.supply),
        values(memory.options.supply),
        writes(memory.options.supply),
        index(memory.options.supply) {}

  void clear() {
    reads.clear();
    last_read = nullptr;
    read_words.clear();
    values.clear();
    writes.clear();
    index.clear();
    contended = nullptr;
    about = nullptr;
  }
  // Before its first read. Where none is kept the log of reads is closed.
  void keep_reads(bool on) {
    keeps_reads = on;
    reads.open(on);
  }
  void set_end(uint64_t time) {
    end = time;
    newest = orec::newest_of(time);
    fast_limit = fast_reads ? newest + 1 : 0;
  }
  void set_fast_reads(bool on) {
    fast_reads = on;
    fast_limit = on ? newest + 1 : 0;
  }

  // The words are changed from here on: of a fault a signal's handler sees that it is no attempt's.
  void cannot_be_undone() {
    active = false;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  bool fail(Reason why, const Orec* orec = nullptr, const Word* word = nullptr) {
    reason = why;
    contended = orec;
    about = word;
    return false;
  }

  // What every read needs, in one cache line or two.
  const OrecFinder<World> orecs;
  // An address that has none of these bits needs nothing special to be done. They are the bits of
  // its place in a word, or all bits under a hash that takes a computation, or where reads are
  // counted.
  const uintptr_t unusual;
  uint64_t fast_limit = 0;          // a read of an orec below it needs to know nothing else
  const Orec* last_read = nullptr;  // of reads.back()
  bool keeps_reads = true;          // and so can validate and extend; not where it is read-only
  Log<Read> reads;

  uint64_t newest = 0;  // the largest free orec that is within the snapshot
  bool fast_reads = false;
  bool doomed = true;   // also of an idle thread, so that a look at it tells both
  bool active = false;  // it runs or is doomed, and its words are not being changed
  bool read_only = false;
  bool serial = false;  // holds the gate: nobody else runs
  uint32_t self;
  uint64_t end = 0;   // the snapshot's time
  uint64_t left = 0;  // reads until it validates what it read
  Shared<World>& shared;
  Log<const Word*> read_words;  // of reads, where aborts are attributed
  Log<ReadValue> values;
  Log<Write> writes;
  WriteIndex<Word> index;  // of writes, in designs that have no locks to find them by

  Reason reason = Reason::kRetry;
  const Orec* contended = nullptr;
  const Word* about = nullptr;
  Counts counts;
};

}  // namespace mmt::stm

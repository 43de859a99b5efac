// One thread's transactions: attempts from their begin to their end, and what leads from one to the
// next. The interfaces (tx.h, atomically.h, <mmt/stm.h>) only translate to it. One thread at a time
// uses a Thread, which ends before its memory does.
//
// States: idle; running; doomed (an operation said no: locks are let go, nothing else can follow
// but end_aborted). Between two attempts of one transaction it is idle, and may hold the gate. An
// idle thread says no to each operation, as a doomed one does.
#pragma once

#include <sched.h>

#include <cstdint>
#include <functional>
#include <stdexcept>

#include <mmt/stm/attribution.h>
#include <mmt/stm/blocks.h>
#include <mmt/stm/design/table.h>
#include <mmt/stm/fast_read.h>
#include <mmt/stm/memory.h>

namespace mmt::stm {

// Where a caller stands on the stack. It has the frame that it is compiled into, and a variable of
// its own that lives until the transaction is over.
struct StackPlace {
  const void* frame = nullptr;
  const void* own = nullptr;
};

class Thread {
 public:
  using Word = RealWorld::Word;
  using D = Descriptor<RealWorld>;

  // std::length_error when the memory has kMostThreads already, std::bad_alloc.
  explicit Thread(Memory& memory)
      : memory_(memory),
        shared_(memory.shared_),
        operations_(operations_of<RealWorld>(memory.options().design,
                                             memory.options().validate_every != 0)),
        fast_reads_(operations_.fast_reads && !shared_.attribution.on()),
        d_(shared_, member(shared_)),
        blocks_(shared_.options, shared_.epochs, d_.counts) {
    try {
      memory.threads_.add(&d_.counts);
    } catch (...) {
      shared_.epochs.remove(d_.self);
      throw;
    }
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  // The thread is idle. It waits for others' attempts, if blocks that it freed do. An attempt that
  // a jump has left is undone, as others would wait for it for ever.
  ~Thread() {
    if (running()) give_up(Reason::kException);
    blocks_.end();
    memory_.threads_.remove(&d_.counts);
    shared_.epochs.remove(d_.self);
  }

  Memory& memory() { return memory_; }
  bool running() const { return d_.active; }
  bool doomed() const { return d_.doomed; }
  bool irrevocable() const { return irrevocable_; }
  Reason reason() const { return d_.reason; }

  // --- A transaction: start, then begin until commit says yes ---

  void start(bool read_only, StackPlace place = {}) {
    retries_ = 0;
    d_.read_only = read_only;
    place_ = place;
  }
  // Whether a caller is within the transaction that runs. If not, a jump has left its body: the
  // caller's frame lies above. Or its variable lies where the first caller's was, which lives no
  // more. A stack grows downwards, and both are on the same one.
  bool is_within(StackPlace place) const {
    return place.own != place_.own && !std::less<>()(place_.frame, place.frame);
  }

  void begin() {
    d_.clear();
    d_.doomed = false;
    d_.keep_reads(!d_.read_only);
    d_.counts.attempts.add();
    enter();
    d_.fast_reads = fast_reads_;
    operations_.begin(d_);  // their limit comes with the snapshot
    d_.active = true;
  }

  // False: the attempt is doomed, and end_aborted follows.
  bool commit() {
    if (d_.doomed) return false;
    const bool alone = d_.serial;
    const bool privatizes = shared_.options.safe_privatization && !alone && !d_.writes.empty();
    if (privatizes) shared_.epochs.begin_privatizing(d_.self);
    const bool committed = operations_.commit(d_);
    if (MMT_UNLIKELY(!committed)) {
      if (privatizes) shared_.epochs.end_privatizing(d_.self);
      return doom();
    }
    d_.counts.commits.add();
    if (d_.read_only) d_.counts.read_only.add();
    if (alone) d_.counts.serial.add();
    become_idle();
    open_gate();
    if (privatizes) {
      shared_.epochs.wait_until_passed(shared_.epochs.advance());
      shared_.epochs.end_privatizing(d_.self);
    } else if (!alone) {
      own_what_was_seen();
    }
    blocks_.commit(alone || privatizes);
    return true;
  }

  // Ends an attempt that is doomed. Returns when the next may begin.
  void end_aborted() {
    blocks_.undo();
    become_idle();
    if (d_.reason == Reason::kRetry) {
      // It waits for what another is to do: not alone, then.
      open_gate();
      retries_ = 0;
      sched_yield();
      return;
    }
    if (d_.reason == Reason::kWroteReadOnly) d_.read_only = false;
    ++retries_;
    if (retries_ > d_.counts.most_retries.get()) d_.counts.most_retries.set(retries_);
    if (!d_.serial) give_way();
  }

  // Ends the transaction, whose attempt runs or is doomed, without another attempt.
  void give_up(Reason reason) {
    if (!d_.doomed) {
      d_.fail(reason);
      doom();
    }
    blocks_.undo();
    become_idle();
    open_gate();
    own_what_was_seen();
  }

  // --- Operations of an attempt that runs. False: it is doomed ---

  bool read(const Word* at, Part part, uint64_t* out) {
    if (MMT_UNLIKELY(d_.doomed)) return false;
    return MMT_LIKELY(operations_.read(d_, at, part, out)) || doom();
  }
  bool write(Word* at, uint64_t value, uint64_t mask) {
    if (MMT_UNLIKELY(d_.doomed)) return false;
    if (MMT_UNLIKELY(d_.read_only)) return fail(Reason::kWroteReadOnly);
    return MMT_LIKELY(operations_.write(d_, at, value, mask)) || doom();
  }
  // Null: no memory, but nothing is lost.
  void* allocate(size_t bytes) { return d_.doomed ? nullptr : blocks_.allocate(bytes); }
  bool free(void* block, size_t bytes);
  bool fail(Reason reason) {
    if (d_.doomed) return false;
    d_.fail(reason);
    return doom();
  }
  bool become_irrevocable();
  // Whether what it read still holds; always where attempts do not validate. It runs.
  bool holds() { return operations_.holds(d_) || doom(); }

  // --- For recovering.h, where a signal's handler asks ---

  // The attempt is doomed, or finds that it is: what faults in it is no error of the program.
  bool is_doomed_at_fault();
  // The handler has left the attempt, which is doomed now.
  void recover();

  // See fast_read.h.
  template <size_t kBytes>
  MMT_ALWAYS_INLINE bool is_usual(const void* at) const {
    return stm::is_usual<kBytes>(d_, at);
  }
  template <size_t kBytes>
  MMT_ALWAYS_INLINE bool read_fast(const void* at, RawOf<kBytes>* out) {
    return stm::read_fast<kBytes>(d_, at, out);
  }
  template <size_t kBytes>
  bool read_hashed(const void* at, RawOf<kBytes>* out) {
    return stm::read_hashed<kBytes>(d_, at, out);
  }

 private:
  static uint32_t member(Shared<RealWorld>& shared) {
    const uint32_t member = shared.epochs.add();
    if (member == shared.epochs.kNobody)
      throw std::length_error("mmt::stm::Thread: too many threads");
    return member;
  }

  void enter();
  void enter_patiently();
  bool doom();
  void give_way();

  void become_idle() {
    d_.active = false;
    d_.doomed = true;
    d_.set_fast_reads(false);
    irrevocable_ = false;
    shared_.epochs.leave(d_.self);
  }
  // What another commit took out of the shared words may have been seen, and be used from now on.
  void own_what_was_seen() {
    if (shared_.options.safe_privatization) shared_.epochs.wait_for_privatizing();
  }
  void open_gate() {
    if (!d_.serial) return;
    d_.serial = false;
    shared_.epochs.open();
  }

  Memory& memory_;
  Shared<RealWorld>& shared_;
  const Operations<RealWorld>& operations_;
  const bool fast_reads_;
  D d_;
  Blocks<RealWorld> blocks_;
  uint64_t retries_ = 0;
  uint64_t random_ = 0;
  StackPlace place_;  // of the outermost caller
  bool irrevocable_ = false;
  volatile bool looks_at_fault_ = false;
};

inline void Thread::enter() {
  if (MMT_LIKELY(!d_.serial && retries_ < shared_.options.most_retries) &&
      MMT_LIKELY(shared_.epochs.enter(d_.self))) {
    if (MMT_LIKELY(shared_.now() < shared_.options.clock_limit)) return;
    shared_.epochs.leave(d_.self);
  }
  enter_patiently();
}

// Behind whoever holds the gate, or as its holder.
MMT_NOINLINE inline void Thread::enter_patiently() {
  Epochs<RealWorld>& epochs = shared_.epochs;
  if (!d_.serial && retries_ >= shared_.options.most_retries) {
    epochs.close(d_.self);
    d_.serial = true;
  }
  for (;;) {
    if (d_.serial) {
      epochs.announce(d_.self);
    } else {
      while (!epochs.enter(d_.self)) RealWorld::wait_until([&] { return !epochs.closed(); });
    }
    if (MMT_LIKELY(shared_.now() < shared_.options.clock_limit)) break;
    if (d_.serial) {
      shared_.begin_anew();
      break;
    }
    epochs.leave(d_.self);
    epochs.close(d_.self);
    if (shared_.now() >= shared_.options.clock_limit) shared_.begin_anew();
    epochs.open();
  }
  // No version is later than the one after the clock: all are within the snapshot then.
  if (d_.serial && shared_.options.deferred_clock) shared_.raise(shared_.now() + 1);
}

inline bool Thread::doom() {
  operations_.roll_back(d_);
  d_.counts.aborts[static_cast<size_t>(d_.reason)].add();
  d_.counts.causes[static_cast<size_t>(cause_of(d_))].add();
  d_.doomed = true;
  d_.set_fast_reads(false);
  return false;
}

inline bool Thread::is_doomed_at_fault() {
  if (!d_.active) return false;
  // NOrec compares values: a word that it read, and that is gone, has changed.
  if (d_.doomed || looks_at_fault_) return true;
  looks_at_fault_ = true;
  const bool valid = operations_.validate(d_);
  looks_at_fault_ = false;
  return !valid;
}

inline void Thread::recover() {
  looks_at_fault_ = false;
  if (!d_.doomed) {
    d_.fail(Reason::kFault, d_.contended, d_.about);
    doom();
  }
  if (shared_.options.safe_privatization) shared_.epochs.end_privatizing(d_.self);
}

inline void Thread::give_way() {
  switch (shared_.options.manager) {
    case Manager::kSuicide:
      return;
    case Manager::kDelay:
      if (d_.contended == nullptr) return;
      RealWorld::wait_until(
          [&] { return !orec::locked(d_.contended->load(std::memory_order_relaxed)); });
      return;
    case Manager::kBackoff:
      random_ = random_ * 6364136223846793005U + 2 * d_.self + 1;
      const unsigned range = static_cast<unsigned>(retries_ < 12 ? retries_ : 12) + 4;
      const uint64_t pauses = (random_ >> 32) & ((uint64_t{1} << range) - 1);
      for (uint64_t i = 0; i < pauses; ++i) RealWorld::relax();
      return;
  }
}

// The block is locked, its first word or all of them: whoever has read it notices.
inline bool Thread::free(void* block, size_t bytes) {
  if (d_.doomed) return false;
  auto at = reinterpret_cast<uintptr_t>(block) & ~uintptr_t{7};
  const uintptr_t end = reinterpret_cast<uintptr_t>(block) + bytes;
  do {
    if (!write(reinterpret_cast<Word*>(at), 0, 0)) return false;
    at += 8;
  } while (shared_.options.free_locks_all_words && at < end);
  return blocks_.free(block, bytes) || fail(Reason::kNoMemory);
}

inline bool Thread::become_irrevocable() {
  if (d_.doomed) return false;
  if (irrevocable_) return true;
  // Its reads cannot be validated.
  if (d_.read_only) return fail(Reason::kWroteReadOnly);
  if (!d_.serial) {
    // Another waits for all to end, this attempt among them.
    if (!shared_.epochs.try_close(d_.self)) return fail(Reason::kIrrevocable);
    d_.serial = true;
    RealWorld::wait_until([&] { return shared_.epochs.others_idle(d_.self); });
    if (!operations_.validate(d_)) return fail(Reason::kIrrevocable);
  }
  irrevocable_ = true;
  return true;
}

}  // namespace mmt::stm

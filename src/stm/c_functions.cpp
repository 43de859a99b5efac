// <mmt/stm.h>: each function is one of Tx that jumps where Tx throws.
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>
#include <stdexcept>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/stm.h>
#include <mmt/stm/tx.h>

using mmt::stm::Cause;
using mmt::stm::Memory;
using mmt::stm::Options;
using mmt::stm::Part;
using mmt::stm::RawOf;
using mmt::stm::RealWorld;
using mmt::stm::Reason;
using mmt::stm::Thread;

struct mmt_stm_memory {
  Memory memory;
};

struct mmt_stm_thread {
  explicit mmt_stm_thread(Memory& memory) : thread(memory) {}

  Thread thread;
  jmp_buf place;
  jmp_buf inner;                // of transactions within the transaction: nobody jumps there
  const void* frame = nullptr;  // of the outermost mmt_stm_start
  const void* site = nullptr;   // where it was called
  int depth = 0;
  int outcome = 0;
};

namespace {

constexpr int kAgain = 1;

void check_in_transaction(const mmt_stm_thread* t) {
  MMT_CHECK(t->thread.running(), "mmt_stm_*: called outside of MMT_STM_BEGIN and MMT_STM_END");
}

// Locals with destructors would be jumped over: there are none from here on.
[[noreturn]] void leave(mmt_stm_thread* t, int outcome) {
  check_in_transaction(t);
  t->thread.give_up(outcome == ENOMEM ? Reason::kNoMemory : Reason::kException);
  t->outcome = outcome;
  t->depth = 0;
  longjmp(t->place, MMT_STM_OVER);
}
[[noreturn]] void abort_attempt(mmt_stm_thread* t) {
  check_in_transaction(t);
  if (t->thread.reason() == Reason::kNoMemory) leave(t, ENOMEM);
  t->thread.end_aborted();
  t->depth = 1;
  longjmp(t->place, kAgain);
}

template <class T>
T read(mmt_stm_thread* t, const void* at) {
  const auto address = reinterpret_cast<uintptr_t>(at);
  if (address % sizeof(T) != 0) {
    T value;
    mmt_stm_read(t, &value, at, sizeof value);
    return value;
  }
  RawOf<sizeof(T)> raw;
  const bool done = t->thread.is_usual<sizeof(T)>(at) ? t->thread.read_fast<sizeof(T)>(at, &raw)
                                                      : t->thread.read_hashed<sizeof(T)>(at, &raw);
  if (done) return raw;
  const Part part{static_cast<uint8_t>(address % 8), sizeof(T)};
  uint64_t word = 0;
  if (!t->thread.read(reinterpret_cast<const Thread::Word*>(address & ~uintptr_t{7}), part,
                      &word)) {
    abort_attempt(t);
  }
  return static_cast<T>((word & part.mask()) >> part.shift());
}

template <class T>
void write(mmt_stm_thread* t, void* at, T value) {
  const auto address = reinterpret_cast<uintptr_t>(at);
  if (address % sizeof(T) != 0) return mmt_stm_write(t, at, &value, sizeof value);
  const Part part{static_cast<uint8_t>(address % 8), sizeof(T)};
  if (!t->thread.write(reinterpret_cast<Thread::Word*>(address & ~uintptr_t{7}),
                       uint64_t{value} << part.shift(), part.mask())) {
    abort_attempt(t);
  }
}

bool whole(const void* at, size_t bytes) {
  return bytes >= 8 && reinterpret_cast<uintptr_t>(at) % 8 == 0;
}

}  // namespace

void mmt_stm_default_options(mmt_stm_options* options) {
  const Options o;
  *options = {static_cast<unsigned>(o.design),
              static_cast<unsigned>(o.manager),
              static_cast<unsigned>(o.hash),
              static_cast<unsigned>(o.reclamation),
              static_cast<unsigned>(o.caching),
              o.log2_orecs,
              o.shift,
              o.most_retries,
              o.deferred_clock,
              o.safe_privatization,
              o.free_locks_all_words,
              o.most_cached,
              o.epoch_batch,
              o.attribute_aborts,
              o.validate_every};
}

mmt_stm_memory* mmt_stm_create(const mmt_stm_options* chosen) {
  Options options;
  if (chosen != nullptr) {
    // Larger numbers would become valid ones when they are cut to a byte.
    if ((chosen->design | chosen->manager | chosen->hash | chosen->reclamation | chosen->caching) >
        255) {
      errno = EINVAL;
      return nullptr;
    }
    options.design = static_cast<mmt::stm::Design>(chosen->design);
    options.manager = static_cast<mmt::stm::Manager>(chosen->manager);
    options.hash = static_cast<mmt::stm::Hash>(chosen->hash);
    options.reclamation = static_cast<mmt::stm::Reclamation>(chosen->reclamation);
    options.caching = static_cast<mmt::stm::Caching>(chosen->caching);
    options.log2_orecs = chosen->log2_orecs;
    options.shift = chosen->shift;
    options.most_retries = chosen->most_retries;
    options.deferred_clock = chosen->deferred_clock != 0;
    options.safe_privatization = chosen->safe_privatization != 0;
    options.free_locks_all_words = chosen->free_locks_all_words != 0;
    options.most_cached = chosen->most_cached;
    options.epoch_batch = chosen->epoch_batch;
    options.attribute_aborts = chosen->attribute_aborts != 0;
    options.validate_every = chosen->validate_every;
  }
  try {
    return new mmt_stm_memory{Memory(options)};
  } catch (const std::invalid_argument&) {
    errno = EINVAL;
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
  }
  return nullptr;
}
void mmt_stm_destroy(mmt_stm_memory* memory) { delete memory; }

void mmt_stm_get_statistics(mmt_stm_memory* memory, mmt_stm_statistics* statistics) {
  const mmt::stm::Statistics seen = memory->memory.statistics();
  *statistics = {
      seen.attempts,           seen.commits,           seen.aborted(),   seen.of(Cause::kTrue),
      seen.of(Cause::kStripe), seen.of(Cause::kAlias), seen.allocations, seen.reused};
}

mmt_stm_thread* mmt_stm_thread_create(mmt_stm_memory* memory) {
  try {
    return new mmt_stm_thread(memory->memory);
  } catch (const std::length_error&) {
    errno = EAGAIN;
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
  }
  return nullptr;
}
void mmt_stm_thread_destroy(mmt_stm_thread* t) { delete t; }

// One MMT_STM_BEGIN begins twice in a frame only where a jump, or a return, has left its body.
MMT_NOINLINE void mmt_stm_start(mmt_stm_thread* t, int read_only) {
  const void* const frame = __builtin_frame_address(0);
  const void* const site = __builtin_return_address(0);
  if (++t->depth > 1) {
    const bool within = std::less<>()(frame, t->frame) || (frame == t->frame && site != t->site);
    MMT_CHECK(within,
              "mmt_stm_*: the body of this thread's last transaction was not left by its end");
    return;
  }
  t->thread.start(read_only != 0);
  t->frame = frame;
  t->site = site;
}
jmp_buf* mmt_stm_place(mmt_stm_thread* t) { return t->depth > 1 ? &t->inner : &t->place; }
void mmt_stm_begin(mmt_stm_thread* t) {
  if (t->depth == 1) t->thread.begin();
}
void mmt_stm_commit(mmt_stm_thread* t) {
  if (t->depth == 1 && !t->thread.commit()) abort_attempt(t);
  --t->depth;
  t->outcome = 0;
}
int mmt_stm_outcome(const mmt_stm_thread* t) { return t->outcome; }

uint8_t mmt_stm_read_u8(mmt_stm_thread* t, const uint8_t* at) { return read<uint8_t>(t, at); }
uint16_t mmt_stm_read_u16(mmt_stm_thread* t, const uint16_t* at) { return read<uint16_t>(t, at); }
uint32_t mmt_stm_read_u32(mmt_stm_thread* t, const uint32_t* at) { return read<uint32_t>(t, at); }
uint64_t mmt_stm_read_u64(mmt_stm_thread* t, const uint64_t* at) { return read<uint64_t>(t, at); }
void* mmt_stm_read_pointer(mmt_stm_thread* t, const void* at) {
  return reinterpret_cast<void*>(read<uintptr_t>(t, at));
}
void mmt_stm_read(mmt_stm_thread* t, void* to, const void* from, size_t bytes) {
  auto* target = static_cast<unsigned char*>(to);
  const auto* source = static_cast<const unsigned char*>(from);
  while (bytes > 0) {
    const size_t step = whole(source, bytes) ? 8 : 1;
    if (step == 8) {
      const uint64_t word = read<uint64_t>(t, source);
      std::memcpy(target, &word, 8);
    } else {
      *target = read<uint8_t>(t, source);
    }
    target += step;
    source += step;
    bytes -= step;
  }
}

void mmt_stm_write_u8(mmt_stm_thread* t, uint8_t* at, uint8_t value) { write(t, at, value); }
void mmt_stm_write_u16(mmt_stm_thread* t, uint16_t* at, uint16_t value) { write(t, at, value); }
void mmt_stm_write_u32(mmt_stm_thread* t, uint32_t* at, uint32_t value) { write(t, at, value); }
void mmt_stm_write_u64(mmt_stm_thread* t, uint64_t* at, uint64_t value) { write(t, at, value); }
void mmt_stm_write_pointer(mmt_stm_thread* t, void* at, const void* value) {
  write(t, at, reinterpret_cast<uintptr_t>(value));
}
void mmt_stm_write(mmt_stm_thread* t, void* to, const void* from, size_t bytes) {
  auto* target = static_cast<unsigned char*>(to);
  const auto* source = static_cast<const unsigned char*>(from);
  while (bytes > 0) {
    const size_t step = whole(target, bytes) ? 8 : 1;
    if (step == 8) {
      uint64_t word = 0;
      std::memcpy(&word, source, 8);
      write(t, target, word);
    } else {
      write(t, target, *source);
    }
    target += step;
    source += step;
    bytes -= step;
  }
}

void* mmt_stm_allocate(mmt_stm_thread* t, size_t bytes) {
  check_in_transaction(t);
  return t->thread.allocate(bytes);
}
void mmt_stm_free(mmt_stm_thread* t, void* block, size_t bytes) {
  if (block != nullptr && !t->thread.free(block, bytes)) abort_attempt(t);
}

void mmt_stm_retry(mmt_stm_thread* t) {
  if (t->thread.irrevocable()) leave(t, ECANCELED);
  t->thread.fail(Reason::kRetry);
  abort_attempt(t);
}
void mmt_stm_cancel(mmt_stm_thread* t) { leave(t, ECANCELED); }
void mmt_stm_become_irrevocable(mmt_stm_thread* t) {
  if (!t->thread.become_irrevocable()) abort_attempt(t);
}

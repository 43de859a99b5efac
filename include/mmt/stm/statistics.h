// What happened in a transactional memory. attempts == commits + the sum of aborts, once no
// transaction runs; commits include those of `read_only` and `serial`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <mmt/sync/counter.h>

namespace mmt::stm {

enum class Reason : uint8_t {
  kLockedRead,      // read a word that another transaction had locked
  kLockedWrite,     // wrote one
  kValidateRead,    // read one that changed since the snapshot, which cannot be extended
  kValidateWrite,   // wrote one
  kValidateCommit,  // what was read has changed before the commit
  kWroteReadOnly,   // wrote in a transaction that was said to be read-only; runs again as any other
  kIrrevocable,     // another became irrevocable first, or what was read had changed by then
  kRetry,           // the program asked for it
  kException,       // left the body, and was passed on
  kNoMemory,        // for the transaction's logs; std::bad_alloc was passed on
  kValidateMidway,  // what was read had changed when validate_every, or an exception, made it look
  kFault,           // a doomed attempt met memory that is gone (recovering.h)
  kReasons,
};

inline const char* name_of(Reason reason) {
  constexpr const char* kNames[] = {"locked_read",    "locked_write",    "validate_read",
                                    "validate_write", "validate_commit", "wrote_read_only",
                                    "irrevocable",    "retry",           "exception",
                                    "no_memory",      "validate_midway", "fault"};
  static_assert(std::size(kNames) == static_cast<size_t>(Reason::kReasons));
  return kNames[static_cast<size_t>(reason)];
}

inline constexpr size_t kReasons = static_cast<size_t>(Reason::kReasons);

// How the word that an abort is about lies to the word that was written (attribute_aborts).
enum class Cause : uint8_t {
  kTrue,     // it is the same
  kStripe,   // another of the same stripe
  kAlias,    // of another stripe with the same orec
  kNoWord,   // retries, exceptions, NOrec and the like
  kUnknown,  // attribution is off
  kCauses,
};
inline constexpr size_t kCauses = static_cast<size_t>(Cause::kCauses);

// One set of numbers: C is a plain number here, and a counter that others may read in a thread. All
// count events, but `most_retries` is the largest number of aborts in a row of one transaction.
// `extensions` counts snapshots that were moved on, `undone` the allocations of aborted attempts.
template <class C>
struct Numbers {
  C attempts{}, commits{}, read_only{}, serial{};
  C aborts[kReasons] = {};
  C causes[kCauses] = {};  // of the same aborts
  C extensions{}, most_retries{};
  C allocations{}, undone{}, frees{}, reused{};  // reused: allocations served from the cache
  C batches{}, batched{};                        // frees handed over, and the blocks in them
};

struct Statistics : Numbers<uint64_t> {
  uint64_t roll_overs = 0;

  uint64_t aborted() const {
    uint64_t sum = 0;
    for (const uint64_t n : aborts) sum += n;
    return sum;
  }
  uint64_t of(Reason reason) const { return aborts[static_cast<size_t>(reason)]; }
  uint64_t of(Cause cause) const { return causes[static_cast<size_t>(cause)]; }
  // From 0 to 1; 0 where nothing has ended yet.
  double abort_ratio() const {
    const auto all = static_cast<double>(aborted() + commits);
    return all == 0 ? 0 : static_cast<double>(aborted()) / all;
  }
};

// Written by one thread, read by any.
using Counts = Numbers<sync::Counter<>>;

inline void add_to(Statistics* sum, const Counts& counts) {
  sum->attempts += counts.attempts.get();
  sum->commits += counts.commits.get();
  sum->read_only += counts.read_only.get();
  sum->serial += counts.serial.get();
  for (size_t i = 0; i < kReasons; ++i) sum->aborts[i] += counts.aborts[i].get();
  for (size_t i = 0; i < kCauses; ++i) sum->causes[i] += counts.causes[i].get();
  sum->extensions += counts.extensions.get();
  if (counts.most_retries.get() > sum->most_retries) {
    sum->most_retries = counts.most_retries.get();
  }
  sum->allocations += counts.allocations.get();
  sum->undone += counts.undone.get();
  sum->frees += counts.frees.get();
  sum->reused += counts.reused.get();
  sum->batches += counts.batches.get();
  sum->batched += counts.batched.get();
}

}  // namespace mmt::stm

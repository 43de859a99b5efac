// What can be chosen of a transactional memory, all of it at run time: an application is compiled
// once for every choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace mmt::stm {

// An orec is a versioned lock; a table of them guards all words, several words an orec. TinySTM
// (Felber, Fetzer, Riegel, 2008) has the designs with orecs. NOrec is by Dalessandro, Spear and
// Scott (2010).
enum class Design : uint8_t {
  kWriteBackEncounter,  // locks at the first write, writes at commit
  kWriteBackCommit,     // locks and writes at commit
  kWriteThrough,        // locks at the first write, writes at once, undoes on abort
  kNorec,               // no orecs: one sequence lock, and values that are compared
};

// What an aborted attempt does before the next. TinySTM has these contention managers, too.
enum class Manager : uint8_t {
  kSuicide,  // nothing
  kDelay,    // waits until the lock that it met is free
  kBackoff,  // waits for a random time, whose range doubles
};

// How the number of a stripe of 2^shift bytes becomes the index of its orec.
enum class Hash : uint8_t {
  kMask,      // its low bits
  kByteSwap,  // those, with their last two bytes swapped: neighbours share no cache line
  kMultiply,  // by 2^64 divided by the golden ratio; the high bits
  kXorFold,   // the low bits and those above them, in exclusive or
};

// When a block that a committed transaction freed goes back to the allocator. The last of these is
// epoch-based reclamation (Fraser, 2004).
enum class Reclamation : uint8_t {
  kImmediate,  // at once, as the paper has it: UNSAFE where attempts still run that have seen it.
               // They may commit what its next owner wrote, or write to it; with
               // free_locks_all_words and known sizes they abort
  kQuiesce,    // when all attempts that then run have ended; the commit waits for them
  kEpoch,      // as kQuiesce, but nobody waits: the thread keeps it meanwhile
};

// Which blocks a thread keeps for its own next allocations.
enum class Caching : uint8_t { kNone, kAbort, kCommit, kBoth };

// Where blocks come from, and the logs of the threads. Any thread calls these functions, which
// throw nothing. allocate() gives null where there is no memory, and aligns as malloc does. The
// others get no null.
struct Supply {
  void* (*allocate)(size_t bytes) = std::malloc;
  void (*free)(void* block) = std::free;
  // All that one commit freed, where the allocator takes that better; null: one after the other.
  void (*free_batch)(void* const* blocks, size_t count) = nullptr;
};

struct Options {
  Design design = Design::kWriteBackEncounter;
  Manager manager = Manager::kSuicide;
  unsigned log2_orecs = 20;  // 0 to 24; an orec has 8 bytes
  unsigned shift = 5;        // 3 to 8: a stripe has 2^shift bytes
  Hash hash = Hash::kMask;
  Reclamation reclamation = Reclamation::kEpoch;
  Caching caching = Caching::kNone;
  unsigned most_cached = 64;          // blocks of one size class a thread
  unsigned most_retries = 100;        // after so many aborts an attempt runs alone; 0: each does
  unsigned epoch_batch = 64;          // kEpoch: blocks a thread keeps before it looks for free ones
  bool free_locks_all_words = false;  // or the first one only
  bool deferred_clock =
      false;  // a commit leaves the clock alone; a thread that meets its version moves it on
  // A transaction owns what it takes out of the shared words. A commit that wrote waits for the
  // attempts that then run, and another commit waits so, too, while such a commit waits. Blocks
  // that are freed need not wait again, whatever the reclamation. Without safe privatization, a
  // word must never be accessed outside of transactions while there are others.
  bool safe_privatization = true;
  // After so many reads, or as many as it keeps where that is more, an attempt looks whether what
  // it read still holds. Where it does not, the attempt ends. 0: it never looks. So ends a walk
  // over memory that has another owner by now, as may be under kImmediate or without safe
  // privatization. Reads take longer then, and read-only transactions are as any other.
  unsigned validate_every = 0;
  bool attribute_aborts = false;  // true conflicts, shared stripes, shared orecs are told apart
  uint64_t clock_limit = uint64_t{1} << 58;  // 2 to 2^58; the clock begins anew there
  Supply supply;

  // Whether each value is in its range. A memory is made with no other options.
  bool valid() const {
    return log2_orecs <= 24 && shift >= 3 && shift <= 8 && clock_limit >= 2 &&
           clock_limit <= uint64_t{1} << 58 && supply.allocate != nullptr &&
           supply.free != nullptr && static_cast<unsigned>(design) <= 3 &&
           static_cast<unsigned>(manager) <= 2 && static_cast<unsigned>(hash) <= 3 &&
           static_cast<unsigned>(reclamation) <= 2 && static_cast<unsigned>(caching) <= 3;
  }
};

}  // namespace mmt::stm

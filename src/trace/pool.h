#pragma once
// The memory in which libmmt-trace.so leaves what a program asks of its allocator. It is a file
// without a name (memfd), which the program makes and seals against any other size. The program
// sends it to the socket that kPoolVariable names. `mmt trace` reads on as the program runs. The
// program maps the file whole, and keeps no descriptor. A child of a fork makes another one; where
// it cannot, it goes on in its parent's.
//
// The file is chunks; the first holds this Pool. A thread takes a free chunk, fills it with
// records, and takes the next one. Whoever reads gives read chunks back, zeroed. A thread waits
// only when no chunk is free.
//
// A record is there when its first word is: written last (release), read first (acquire). So is the
// head of a chunk. `free` is changed by atomic operations alone: a process may be killed anywhere,
// and what it took then is lost to nobody but itself.
//
// Neither side trusts the other's words: no place, size or address is made of one unchecked.
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mmt::trace {

// Options of the native heap have no names that begin so.
inline constexpr const char* kPoolVariable = "MMT_LAB_TRACE";
inline constexpr uint64_t kPoolMagic = 0x4D4D545452'414306;  // "MMTTRAC", version 6
// The socket lies in a folder of its user's alone, and its name says what is wanted.
inline constexpr const char* kCallsSocket = "mmt-trace-calls";
inline constexpr const char* kSitesSocket = "mmt-trace-sites";  // return addresses, too
inline constexpr size_t kLongestSocketPath = 108;               // with its end

inline constexpr size_t kChunkBytes = 16384;
inline constexpr size_t kPendingChunks = 4096;  // 64 MiB, which a pool begins with
// More threads than that have chunks of their own: as many again, as they are needed.
inline constexpr size_t kMostChunks = 4 * kPendingChunks;
inline constexpr size_t kFewestChunks = 64;  // of a pool under a limit of file sizes
inline constexpr size_t kPoolBytes = kMostChunks * kChunkBytes;

enum class RecordKind : uint8_t {
  kNone,
  kAllocate,        // address, bytes, alignment; stamped after the call
  kAllocateZeroed,  // the same
  kFree,            // address; stamped before the call
  kResizeBegin,     // address, before the call
  kResizeEnd,       // new address or 0, bytes; after the call
  kFork,            // bytes: token that nobody can guess, which a child may tell in its kProcess
  kProcess,         // the first record of a process. bytes: token, or 0
  kName,            // 24 bytes of the program's name
  kParent,          // bytes: the parent's process id, as the process sees it
  kArguments,       // 24 bytes of its command line, as often as needed; the last is empty
  kModule,          // address where its code begins, bytes: where it ends, stamp: its base; then
  kText,            // 24 bytes of its path, as often as needed; the last one has a zero byte
  kThreadEnd,       // the thread is about to end, and leaves its chunk
  kEnd,             // what follows in the chunk is not used
};

inline constexpr unsigned kAddressBits = 48;
inline constexpr unsigned kKindShift = 56;

struct Record {
  // Kind << 56 | log2 of the alignment << 48 | address.
  std::atomic<uint64_t> what;
  uint64_t bytes;
  uint64_t stamp;  // of the time-stamp counter; 0: no other thread had made a call before
  uint64_t site;   // return address, where the pool asks for it

  static RecordKind kind_of(uint64_t what) { return static_cast<RecordKind>(what >> kKindShift); }
  static uint64_t address_of(uint64_t what) { return what & ((uint64_t{1} << kAddressBits) - 1); }
  static uint8_t alignment_of(uint64_t what) { return static_cast<uint8_t>(what >> kAddressBits); }
};
inline constexpr size_t kTextBytes = sizeof(Record) - sizeof(uint64_t);
// Threads that need no more have the first half of a record alone. A program is slowed down by what
// it has to write.
inline constexpr size_t kShortRecord = 2 * sizeof(uint64_t);

// It stands at the start of a chunk. All its records are of one length.
struct ChunkHead {
  std::atomic<uint64_t> sequence;  // of the thread's chunks, from 1; 0: not there yet
  uint32_t process;                // numbers of the pool, from 1: its maker
  uint32_t thread;
  uint32_t process_id;  // the system's
  uint32_t thread_id;
  uint32_t pid_space;     // in whose process ids are meant, by its inode; 0: not known
  uint32_t record_bytes;  // sizeof(Record) or kShortRecord
};
static_assert(sizeof(Record) == 32 && sizeof(ChunkHead) == sizeof(Record));

// What is sent with the descriptor of a pool.
struct Announcement {
  uint64_t magic = kPoolMagic;
  uint64_t is_fork = 0;  // the process has executed nothing since its parent's announcement
};

struct Pool {
  // The reader's part, from when it has seen the pool.
  std::atomic<uint32_t> reader;        // its process, without which nobody need wait
  std::atomic<uint32_t> reader_space;  // where that is its id, as ChunkHead::pid_space
  std::atomic<uint32_t> is_over;       // nothing is recorded any more
  std::atomic<uint32_t> beats;         // it adds to it as long as it reads
  // The program's part.
  std::atomic<uint32_t> processes;
  std::atomic<uint32_t> threads;
  std::atomic<uint64_t> waits;                               // how often a thread found no chunk
  std::atomic<uint64_t> looks;                               // of threads that wait for one
  alignas(64) std::atomic<uint64_t> free[kMostChunks / 64];  // a bit a chunk
};
static_assert(sizeof(Pool) <= kChunkBytes);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

// A record as it was read; what a short one lacks is 0.
struct Seen {
  uint64_t what = 0;
  uint64_t bytes = 0;
  uint64_t stamp = 0;
  uint64_t site = 0;

  RecordKind kind() const { return Record::kind_of(what); }
  uint64_t address() const { return Record::address_of(what); }
};

inline Pool* pool_at(char* base) { return reinterpret_cast<Pool*>(base); }
inline ChunkHead* head_of(char* base, size_t chunk) {
  return reinterpret_cast<ChunkHead*>(base + chunk * kChunkBytes);
}

inline void give_chunk(Pool& pool, size_t chunk) {
  pool.free[chunk / 64].fetch_or(uint64_t{1} << (chunk % 64), std::memory_order_release);
}

// The lowest free one of those that there are, which is likely still in a cache; 0: none. Acquire,
// for the thread that gave it. Bits of others than these mean nothing.
inline size_t take_chunk(Pool& pool, size_t chunks) {
  for (size_t word = 0; word < (chunks + 63) / 64; ++word) {
    uint64_t bits = pool.free[word].load(std::memory_order_relaxed);
    while (bits != 0) {
      const uint64_t bit = bits & -bits;
      const uint64_t before = pool.free[word].fetch_and(~bit, std::memory_order_acquire);
      const size_t chunk = 64 * word + static_cast<size_t>(__builtin_ctzll(bit));
      if ((before & bit) != 0 && chunk != 0 && chunk < chunks) return chunk;
      bits = before & ~bit;
    }
  }
  return 0;
}

}  // namespace mmt::trace

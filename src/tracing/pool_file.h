// A pool that a program has sent (trace/pool.h), as its reader sees it. The program may write what
// it likes there at any time. Each word is read once, and none is a place or a size unless checked.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "trace/pool.h"

namespace mmt::tracing {

// What is in a pool cannot be records.
class PoolFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// As trace::ChunkHead, read once.
struct TakenChunk {
  std::size_t chunk = 0;
  std::uint64_t sequence = 0;
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  std::uint32_t process_id = 0;
  std::uint32_t thread_id = 0;
  std::uint32_t pid_space = 0;
  std::uint32_t record_bytes = 0;
};

class PoolFile {
 public:
  // Maps it, and closes the descriptor. nullptr where it could change its size, or is none.
  static std::unique_ptr<PoolFile> adopt(int descriptor);
  ~PoolFile();
  PoolFile(const PoolFile&) = delete;
  PoolFile& operator=(const PoolFile&) = delete;

  // Names the reader, and the space in which that is its id. Call it first of all.
  void begin(std::uint32_t reader, std::uint32_t reader_space);
  // It reads still.
  void beat() {
    std::atomic<std::uint32_t>& beats = pool().beats;
    has_other_beats_ = has_other_beats_ || beats.load(std::memory_order_relaxed) != beats_;
    beats.store(++beats_, std::memory_order_relaxed);
  }
  // Nothing is recorded any more.
  void end();

  char* base() const { return base_; }
  trace::Pool& pool() const { return *trace::pool_at(base_); }
  // "00:01 4711", device and inode as /proc tells of them.
  const std::string& identity() const { return identity_; }
  // Chunks that were given out so far, the pool's own included, and that there can be.
  std::size_t chunks() const { return chunks_; }
  std::size_t most_chunks() const { return most_; }
  std::size_t free_chunks() const;

  // Throws a PoolFault where the pool's own words cannot be: the recorder does with them what
  // nobody else would learn of.
  void check();
  // How often threads have waited, by the last check.
  std::uint64_t waits() const { return waits_; }
  // Chunks that threads have taken since the last call, whose heads are there. Throws a PoolFault
  // where a head is none.
  std::vector<TakenChunk> taken();
  // How many of these have not been given back.
  std::size_t used() const { return used_; }
  // Zeroes a chunk that was read, and gives it back.
  void give(std::size_t chunk);
  // So many more chunks, or as many as there are. False: none.
  bool grow(std::size_t step);
  // Takes what is free, until it is released: threads go on in what is given meanwhile.
  void withhold();
  void release();
  bool is_withheld() const { return is_withheld_; }
  // Gives memory of free chunks back to the system.
  void trim();
  // Chunks that have memory, at most, of those that were given back.
  std::size_t touched() const { return touched_; }
  // How many chunks were given back or added so far.
  std::uint64_t given() const { return given_; }

 private:
  PoolFile(char* base, std::size_t chunks, std::string identity);

  char* base_;
  std::size_t most_;
  std::size_t chunks_;
  std::uint64_t given_ = 0;
  std::string identity_;
  std::size_t used_ = 0;
  // A bit each: of taken(), until they are given back; withheld; and those that are not out yet.
  std::vector<std::uint64_t> known_;
  std::vector<std::uint64_t> withheld_;
  bool is_withheld_ = false;
  std::size_t touched_ = 0;
  // What the pool says, or said at least when it was looked at last.
  std::uint32_t reader_ = 0;
  std::uint32_t reader_space_ = 0;
  std::uint32_t is_over_ = 0;
  std::uint32_t beats_ = 0;
  bool has_other_beats_ = false;
  std::uint32_t processes_ = 0;
  std::uint32_t threads_ = 0;
  std::uint64_t waits_ = 0;
  std::uint64_t looks_ = 0;
};

}  // namespace mmt::tracing

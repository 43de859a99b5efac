// A pool that a program has sent (trace/pool.h), seen by who reads it. The program may write what
// it likes there at any time: each word is read once, and none is a place or a size unless checked.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "trace/pool.h"

namespace mmt::cli {

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

  char* base() const { return base_; }
  trace::Pool& pool() const { return *trace::pool_at(base_); }
  // "00:01 4711", device and inode as /proc tells of them.
  const std::string& identity() const { return identity_; }
  // Chunks that were given out so far, the pool's own included, and that there can be.
  std::size_t chunks() const { return chunks_; }
  std::size_t most_chunks() const { return most_; }
  std::size_t free_chunks() const;

  // Chunks that threads have taken since the last call, whose heads are there. Throws a PoolFault
  // where a head is none.
  std::vector<TakenChunk> taken();
  // Zeroes a chunk that was read, and gives it back.
  void give(std::size_t chunk);
  // So many more chunks, or as many as there are. False: none.
  bool grow(std::size_t step);
  // How many chunks were given back or added so far.
  std::uint64_t given() const { return given_; }

 private:
  PoolFile(char* base, std::size_t chunks, std::string identity);

  char* base_;
  std::size_t most_;
  std::size_t chunks_;
  std::uint64_t given_ = 0;
  std::string identity_;
  std::vector<std::uint64_t> known_;  // of taken(), a bit each, until they are given back
};

}  // namespace mmt::cli

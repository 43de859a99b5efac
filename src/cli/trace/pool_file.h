// The file between a recorded program and `mmt trace` (trace/pool.h), seen by who reads it. It lies
// in memory where the system offers that, and is gone when the object is. Where /dev/shm is too
// small for all of it, as in containers, it is smaller, and what it cannot grow by lies on a disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/pool.h"

namespace mmt::cli {

class PoolFile {
 public:
  // Throws a Failure (125) when none can be made.
  PoolFile(bool has_sites, bool first_only);
  ~PoolFile();
  PoolFile(const PoolFile&) = delete;
  PoolFile& operator=(const PoolFile&) = delete;

  const std::string& path() const { return path_; }
  char* base() const { return base_; }
  trace::Pool& pool() const { return *trace::pool_at(base_); }
  // Chunks that were given out so far, the pool's own included.
  std::size_t chunks() const { return chunks_; }
  // Why it was made for fewer chunks than kPendingChunks; empty: it was not.
  const std::string& shortage() const { return shortage_; }

  // Chunks that threads have taken since the last call, whose heads are there.
  std::vector<std::size_t> taken();
  // Zeroes a chunk that was read, and gives it back.
  void give(std::size_t chunk);
  // More chunks, since threads hold that many. False: there is no memory for more.
  bool grow();
  // How many chunks were given back or added so far.
  std::uint64_t given() const { return given_; }
  // What there is to record in, and why it does not grow.
  std::string limit() const;

 private:
  // False: it cannot be made there, `errors_` says why.
  bool make_in(const std::string& folder, std::size_t chunks);
  // Another file for the chunks from here on, with memory for `step` of them. False: `no_growth_`
  // says why.
  bool begin_overflow(std::size_t step);

  std::string path_;
  int descriptor_ = -1;  // its lock tells that the file is in use
  char* base_ = nullptr;
  std::size_t chunks_ = 0;
  std::uint64_t given_ = 0;
  std::string folder_;
  std::string overflow_path_;
  int overflow_descriptor_ = -1;  // of an open file
  std::size_t overflow_first_ = 0;
  std::string no_growth_;  // why the last grow() failed
  std::string shortage_;
  std::vector<std::string> errors_;
  std::vector<std::uint64_t> known_;  // of taken(), a bit each, until they are given back
};

}  // namespace mmt::cli

// Fake: the end of a pool that a recorded program has, of one thread unless it is told otherwise.
// For tests and fuzzing.
#pragma once

#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "trace/new_pool.h"
#include "tracing/pool_socket.h"

namespace mmt::tracing {

class FakeProgram {
 public:
  static constexpr std::size_t kRecords =
      (trace::kChunkBytes - sizeof(trace::ChunkHead)) / sizeof(trace::Record);

  explicit FakeProgram(std::size_t chunks)
      : chunks_(chunks), file_(static_cast<int>(trace::make_pool_file(chunks))) {
    void* const memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no pool can be made");
    base_ = static_cast<char*>(memory);
  }
  ~FakeProgram() {
    ::munmap(base_, bytes());
    ::close(file_);
  }
  FakeProgram(const FakeProgram&) = delete;
  FakeProgram& operator=(const FakeProgram&) = delete;

  // It is as it comes through the socket.
  AnnouncedPool announced(pid_t process, bool is_fork = false) const {
    return {::dup(file_), process, is_fork};
  }

  int file() const { return file_; }
  std::size_t bytes() const { return chunks_ * trace::kChunkBytes; }
  trace::Pool& pool() const { return *trace::pool_at(base_); }
  std::uint64_t& word(std::size_t at) const { return reinterpret_cast<std::uint64_t*>(base_)[at]; }
  trace::ChunkHead& head(std::size_t chunk) const { return *trace::head_of(base_, chunk); }
  trace::Record& record(std::size_t chunk, std::size_t place) const {
    return reinterpret_cast<trace::Record*>(base_ + chunk * trace::kChunkBytes +
                                            sizeof(trace::ChunkHead))[place];
  }

  // A free one, whose head is as it should be but for the sequence; 0: none.
  std::size_t take_chunk(std::uint32_t thread = 1) {
    const std::size_t chunk = trace::take_chunk(pool(), chunks_);
    if (chunk == 0) return 0;
    trace::ChunkHead& taken = head(chunk);
    taken.process = 1;
    taken.thread = thread;
    taken.process_id = static_cast<std::uint32_t>(::getpid());
    taken.thread_id = taken.process_id;
    taken.pid_space = pool().reader_space.load();
    taken.record_bytes = sizeof(trace::Record);
    return chunk;
  }

  // So many more blocks of thread 1, each of a size and at an address of its own, none of which is
  // freed. False: there are not enough chunks.
  bool allocate(std::uint64_t count) {
    for (; count > 0; --count) {
      if (chunk_ == 0 || place_ == kRecords) {
        const std::size_t next = take_chunk();
        if (next == 0) return false;
        chunk_ = next;
        place_ = 0;
        head(chunk_).sequence.store(++sequence_);
      }
      trace::Record& next = record(chunk_, place_++);
      next.bytes = ++allocated_;
      next.what.store(static_cast<std::uint64_t>(trace::RecordKind::kAllocate)
                          << trace::kKindShift |
                      (16 * allocated_));
    }
    return true;
  }
  std::uint64_t allocated() const { return allocated_; }

 private:
  std::size_t chunks_;
  int file_;
  char* base_ = nullptr;
  std::size_t chunk_ = 0;
  std::size_t place_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t allocated_ = 0;
};

}  // namespace mmt::tracing

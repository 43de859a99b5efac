#include "cli/trace/pool_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace mmt::cli {
namespace {

using trace::kChunkBytes;

template <class Word>
Word once(const Word& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

// Files that hold another way, as those of huge pages, may have no memory when it is read.
bool has_constant_size(int file) {
  struct statfs system {};
  constexpr int kNeeded = F_SEAL_SHRINK | F_SEAL_GROW;
  return ::fstatfs(file, &system) == 0 && system.f_type == TMPFS_MAGIC &&
         (::fcntl(file, F_GET_SEALS) & (kNeeded | F_SEAL_WRITE)) == kNeeded;
}

TakenChunk read_head(const trace::ChunkHead& head, std::size_t chunk, std::uint64_t sequence) {
  TakenChunk taken{.chunk = chunk,
                   .sequence = sequence,
                   .process = once(head.process),
                   .thread = once(head.thread),
                   .process_id = once(head.process_id),
                   .thread_id = once(head.thread_id),
                   .pid_space = once(head.pid_space),
                   .record_bytes = once(head.record_bytes)};
  const bool is_length =
      taken.record_bytes == sizeof(trace::Record) || taken.record_bytes == trace::kShortRecord;
  if (is_length && taken.process != 0 && taken.thread != 0) return taken;
  throw PoolFault(fmt::format("a chunk of process {}, thread {} with records of {} bytes",
                              taken.process, taken.thread, taken.record_bytes));
}

}  // namespace

std::unique_ptr<PoolFile> PoolFile::adopt(int descriptor) {
  struct stat status {};
  void* memory = MAP_FAILED;
  std::size_t chunks = 0;
  if (has_constant_size(descriptor) && ::fstat(descriptor, &status) == 0 &&
      S_ISREG(status.st_mode)) {
    const auto bytes = static_cast<std::size_t>(status.st_size);
    chunks = bytes / kChunkBytes;
    if (bytes % kChunkBytes == 0 && chunks >= trace::kFewestChunks &&
        chunks <= trace::kMostChunks) {
      memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
  }
  ::close(descriptor);
  if (memory == MAP_FAILED) return nullptr;
  std::string identity = fmt::format("{:02x}:{:02x} {}", ::major(status.st_dev),
                                     ::minor(status.st_dev), status.st_ino);
  return std::unique_ptr<PoolFile>(
      new PoolFile(static_cast<char*>(memory), chunks, std::move(identity)));
}

PoolFile::PoolFile(char* base, std::size_t chunks, std::string identity)
    : base_(base),
      most_(chunks),
      chunks_(std::min(chunks, trace::kPendingChunks)),
      identity_(std::move(identity)),
      known_(trace::kMostChunks / 64) {
  known_[0] = 1;  // the pool itself
}

PoolFile::~PoolFile() {
  pool().is_over.store(1);
  ::munmap(base_, most_ * kChunkBytes);
}

std::size_t PoolFile::free_chunks() const {
  std::size_t free = 0;
  for (std::size_t word = 0; word <= (chunks_ - 1) / 64; ++word) {
    const std::uint64_t bits = pool().free[word].load(std::memory_order_relaxed);
    free += static_cast<std::size_t>(__builtin_popcountll(bits));
  }
  return std::min(free, chunks_ - 1);
}

std::vector<TakenChunk> PoolFile::taken() {
  std::vector<TakenChunk> fresh;
  for (std::size_t word = 0; word <= (chunks_ - 1) / 64; ++word) {
    const std::uint64_t free = pool().free[word].load(std::memory_order_acquire);
    for (std::uint64_t bits = ~free & ~known_[word]; bits != 0; bits &= bits - 1) {
      const std::size_t chunk = 64 * word + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (chunk >= chunks_) break;
      // Acquire, for what the head says.
      const trace::ChunkHead& head = *trace::head_of(base_, chunk);
      const std::uint64_t sequence = head.sequence.load(std::memory_order_acquire);
      if (sequence == 0) continue;
      known_[word] |= bits & -bits;
      fresh.push_back(read_head(head, chunk, sequence));
    }
  }
  return fresh;
}

void PoolFile::give(std::size_t chunk) {
  // Before a thread can take it again.
  known_[chunk / 64] &= ~(std::uint64_t{1} << (chunk % 64));
  std::memset(base_ + chunk * kChunkBytes, 0, kChunkBytes);
  trace::give_chunk(pool(), chunk);
  ++given_;
}

bool PoolFile::grow(std::size_t step) {
  const std::size_t end = std::min(chunks_ + step, most_);
  if (end == chunks_) return false;
  given_ += end - chunks_;
  for (; chunks_ < end; ++chunks_) trace::give_chunk(pool(), chunks_);
  return true;
}

}  // namespace mmt::cli

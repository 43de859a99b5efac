#include "tracing/pool_file.h"

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

namespace mmt::tracing {
namespace {

using trace::kChunkBytes;

// Nobody waits so often.
constexpr std::uint64_t kMostWaits = std::uint64_t{1} << 40;

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

template <class Word>
Word once(const std::atomic<Word>& word) {
  return word.load(std::memory_order_relaxed);
}

// False: it would go down.
template <class Count>
bool raise(Count& count, Count now) {
  if (now < count) return false;
  count = now;
  return true;
}

std::uint64_t bit_of(std::size_t chunk) { return std::uint64_t{1} << (chunk % 64); }

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
      known_((chunks + 63) / 64),
      withheld_(known_.size()) {
  known_[0] = 1;  // the pool itself
  for (std::size_t chunk = chunks_; chunk < 64 * known_.size(); ++chunk) {
    known_[chunk / 64] |= bit_of(chunk);
  }
}

PoolFile::~PoolFile() {
  end();
  ::munmap(base_, most_ * kChunkBytes);
}

void PoolFile::begin(std::uint32_t reader, std::uint32_t reader_space) {
  reader_ = reader;
  reader_space_ = reader_space;
  pool().reader.store(reader_, std::memory_order_relaxed);
  pool().reader_space.store(reader_space_, std::memory_order_relaxed);
  pool().beats.store(beats_, std::memory_order_relaxed);
}

void PoolFile::end() {
  is_over_ = 1;
  pool().is_over.store(1);
}

void PoolFile::check() {
  const trace::Pool& shared = pool();
  if (has_other_beats_ || once(shared.reader) != reader_ ||
      once(shared.reader_space) != reader_space_ || once(shared.beats) != beats_) {
    throw PoolFault("another reader than this one");
  }
  // A process that saw no beats for long has given up this reader.
  if (once(shared.is_over) != is_over_) throw PoolFault("an end that is not this reader's");
  const std::uint64_t waits = once(shared.waits);
  const bool is_possible =
      raise(processes_, once(shared.processes)) && raise(threads_, once(shared.threads)) &&
      raise(looks_, once(shared.looks)) && waits <= kMostWaits && raise(waits_, waits);
  if (!is_possible) throw PoolFault("a count that cannot be");
  for (std::size_t word = 0; word < known_.size(); ++word) {
    if ((once(shared.free[word]) & known_[word]) == 0) continue;
    throw PoolFault("a chunk that is free and in use");
  }
}

std::size_t PoolFile::free_chunks() const {
  std::size_t free = 0;
  for (std::size_t word = 0; word <= (chunks_ - 1) / 64; ++word) {
    const std::uint64_t bits = once(pool().free[word]);
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
      ++used_;
      fresh.push_back(read_head(head, chunk, sequence));
    }
  }
  return fresh;
}

void PoolFile::give(std::size_t chunk) {
  // Before a thread can take it again.
  known_[chunk / 64] &= ~bit_of(chunk);
  --used_;
  touched_ = std::max(touched_, chunk + 1);
  std::memset(base_ + chunk * kChunkBytes, 0, kChunkBytes);
  trace::give_chunk(pool(), chunk);
  ++given_;
}

bool PoolFile::grow(std::size_t step) {
  const std::size_t end = std::min(chunks_ + step, most_);
  if (end == chunks_) return false;
  given_ += end - chunks_;
  for (; chunks_ < end; ++chunks_) {
    known_[chunks_ / 64] &= ~bit_of(chunks_);
    trace::give_chunk(pool(), chunks_);
  }
  return true;
}

void PoolFile::withhold() {
  is_withheld_ = true;
  for (std::size_t word = 0; word < known_.size(); ++word) {
    const std::uint64_t free = pool().free[word].fetch_and(known_[word]) & ~known_[word];
    withheld_[word] |= free;
    known_[word] |= free;
  }
}

void PoolFile::trim() {
  if (is_withheld_) return;
  withhold();
  const auto is_free = [&](std::size_t chunk) {
    return (withheld_[chunk / 64] & bit_of(chunk)) != 0;
  };
  const std::size_t end = std::exchange(touched_, 0);
  for (std::size_t chunk = 0; chunk < end;) {
    const std::size_t first = chunk;
    while (chunk < end && is_free(chunk)) ++chunk;
    const std::size_t bytes = (chunk - first) * kChunkBytes;
    if (bytes != 0) ::madvise(base_ + first * kChunkBytes, bytes, MADV_REMOVE);
    while (chunk < end && !is_free(chunk)) ++chunk;
  }
  release();
}

void PoolFile::release() {
  is_withheld_ = false;
  for (std::size_t word = 0; word < known_.size(); ++word) {
    const std::uint64_t free = std::exchange(withheld_[word], 0);
    known_[word] &= ~free;
    pool().free[word].fetch_or(free, std::memory_order_release);
    given_ += static_cast<std::uint64_t>(__builtin_popcountll(free));
  }
}

}  // namespace mmt::tracing

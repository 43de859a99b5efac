#include "cli/trace/pool_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "cli/failure.h"

namespace mmt::cli {
namespace {

namespace fs = std::filesystem;
using trace::kChunkBytes;

constexpr const char* kPrefix = "mmt-trace-";
// A younger file may be one whose owner is about to lock it.
constexpr std::chrono::minutes kAbandonedFor{1};

constexpr const char* kMemory = "/dev/shm";

struct Candidate {
  std::string folder;
  std::size_t pending;  // chunks
};

std::string temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

// In memory, fewer chunks are better than all of them on a disk: it would write each of them.
std::vector<Candidate> candidates() {
  return {{kMemory, trace::kPendingChunks},
          {kMemory, trace::kPendingChunks / 2},
          {kMemory, trace::kPendingChunks / 4},
          {temporary_folder(), trace::kPendingChunks}};
}

std::size_t mebibytes(std::size_t chunks) { return chunks * kChunkBytes >> 20; }

std::string room_of(const std::string& folder) {
  struct statvfs system {};
  if (::statvfs(folder.c_str(), &system) != 0) return "";
  const auto in_mib = [&](fsblkcnt_t blocks) { return blocks * system.f_frsize >> 20; };
  return fmt::format("{} of {} MiB are free", in_mib(system.f_bavail), in_mib(system.f_blocks));
}

// What a process may write at most (ulimit -f), for as long as it is there: past it the kernel
// sends a signal, which would end this process without a word.
class LargestFile {
 public:
  LargestFile() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit highest{before_.rlim_max, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &highest);
  }
  ~LargestFile() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  LargestFile(const LargestFile&) = delete;
  LargestFile& operator=(const LargestFile&) = delete;

  bool is_enough() const { return before_.rlim_max >= trace::kPoolBytes; }

 private:
  rlimit before_{};
};

// A locked file of so many bytes, with memory for the first of them: a page that cannot be had
// later would be a signal to the program. -1: there is none, and errno says why.
int make_file(const std::string& folder, std::size_t bytes, std::size_t ready, std::string& path) {
  path = fmt::format("{}/{}XXXXXX", folder, kPrefix);
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) return -1;
  ::flock(file, LOCK_EX);
  const int error = ::ftruncate(file, static_cast<off_t>(bytes)) != 0
                        ? errno
                        : ::posix_fallocate(file, 0, static_cast<off_t>(ready));
  if (error == 0) {
    // The program's user may change on the way, as a service's does.
    if (::geteuid() == 0) ::fchmod(file, 0666);
    return file;
  }
  ::unlink(path.c_str());
  ::close(file);
  errno = error;
  return -1;
}

// What an `mmt trace` that was killed has left.
void remove_abandoned(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    const auto changed = fs::last_write_time(entry.path(), ignored);
    if (fs::file_time_type::clock::now() - changed < kAbandonedFor) continue;
    // Anybody may put a pipe there, whose opening would wait for a writer.
    const int file =
        ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) continue;
    struct stat status {};
    const bool is_pool = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    if (is_pool && ::flock(file, LOCK_EX | LOCK_NB) == 0) fs::remove(entry.path(), ignored);
    ::close(file);
  }
}

}  // namespace

PoolFile::PoolFile(bool has_sites, bool first_only) : known_(trace::kMostChunks / 64) {
  known_[0] = 1;  // the pool itself
  std::string folder;
  for (const Candidate& one : candidates()) {
    if (one.folder != folder) remove_abandoned(one.folder);
    folder = one.folder;
    if (!make_in(folder, one.pending + 1)) continue;
    if (one.pending != trace::kPendingChunks) {
      shortage_ = fmt::format("{} MiB of {} to record in, where {} would be better: {}",
                              mebibytes(one.pending), folder, mebibytes(trace::kPendingChunks),
                              room_of(folder));
    }
    trace::Pool& shared = pool();
    shared.reader = static_cast<std::uint32_t>(::getpid());
    shared.has_sites = has_sites ? 1 : 0;
    shared.first_only = first_only ? 1 : 0;
    shared.magic = trace::kPoolMagic;
    for (std::size_t chunk = 1; chunk < chunks_; ++chunk) trace::give_chunk(shared, chunk);
    return;
  }
  throw Failure(kRunFailed,
                fmt::format("cannot make a file to record in: {}", fmt::join(errors_, "; ")));
}

bool PoolFile::make_in(const std::string& folder, std::size_t chunks) {
  const auto fail = [&](const std::string& why) {
    errors_.push_back(fmt::format("{} MiB in '{}': {}", mebibytes(chunks), folder, why));
    return false;
  };
  const LargestFile limit;
  if (!limit.is_enough()) {
    return fail(fmt::format("the limit of a file's size (ulimit -f) is less than {} MiB",
                            trace::kPoolBytes >> 20));
  }
  std::string path;
  const int file = make_file(folder, trace::kPoolBytes, chunks * kChunkBytes, path);
  if (file < 0) {
    const int error = errno;
    return fail(std::strerror(error) + (error == ENOSPC ? ", " + room_of(folder) : ""));
  }
  void* const memory =
      ::mmap(nullptr, trace::kPoolBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    const int error = errno;
    ::unlink(path.c_str());
    ::close(file);
    return fail(std::strerror(error));
  }
  path_ = path;
  folder_ = folder;
  descriptor_ = file;
  base_ = static_cast<char*>(memory);
  chunks_ = chunks;
  return true;
}

bool PoolFile::begin_overflow(std::size_t step) {
  const std::string folder = temporary_folder();
  const auto fail = [&](const std::string& why) {
    no_growth_ += fmt::format("; and in '{}': {}", folder, why);
    return false;
  };
  if (folder == folder_) return false;
  const std::size_t bytes = (trace::kMostChunks - chunks_) * kChunkBytes;
  std::string path;
  const int file = make_file(folder, bytes, step * kChunkBytes, path);
  if (file < 0) return fail(std::strerror(errno));
  const bool is_short = path.size() < trace::kLongestOverflowPath;
  if (!is_short || ::mmap(base_ + chunks_ * kChunkBytes, bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
    const int error = is_short ? errno : ENAMETOOLONG;
    ::unlink(path.c_str());
    ::close(file);
    return fail(std::strerror(error));
  }
  overflow_path_ = path;
  overflow_descriptor_ = file;
  overflow_first_ = chunks_;
  std::memcpy(pool().overflow_path, path.c_str(), path.size() + 1);
  // Release, for who takes a chunk of it.
  pool().overflow_first.store(static_cast<std::uint32_t>(chunks_), std::memory_order_release);
  return true;
}

PoolFile::~PoolFile() {
  pool().is_over.store(1);
  ::munmap(base_, trace::kPoolBytes);
  ::unlink(path_.c_str());
  ::close(descriptor_);
  if (overflow_descriptor_ < 0) return;
  ::unlink(overflow_path_.c_str());
  ::close(overflow_descriptor_);
}

std::vector<std::size_t> PoolFile::taken() {
  std::vector<std::size_t> fresh;
  for (std::size_t word = 0; word <= (chunks_ - 1) / 64; ++word) {
    const std::uint64_t free = pool().free[word].load(std::memory_order_acquire);
    for (std::uint64_t bits = ~free & ~known_[word]; bits != 0; bits &= bits - 1) {
      const std::size_t chunk = 64 * word + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (chunk >= chunks_) break;
      // Acquire, for what the head says.
      if (trace::head_of(base_, chunk)->sequence.load(std::memory_order_acquire) == 0) continue;
      known_[word] |= bits & -bits;
      fresh.push_back(chunk);
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

bool PoolFile::grow() {
  constexpr std::size_t kStep = trace::kPendingChunks / 8;
  if (chunks_ + kStep > trace::kMostChunks) {
    no_growth_ = "it has no room for more";
    return false;
  }
  const LargestFile limit;
  const bool is_overflowing = overflow_descriptor_ >= 0;
  const std::size_t place = (chunks_ - overflow_first_) * kChunkBytes;
  if (const int error = ::posix_fallocate(is_overflowing ? overflow_descriptor_ : descriptor_,
                                          static_cast<off_t>(place), kStep * kChunkBytes);
      error != 0) {
    const std::string folder = is_overflowing ? temporary_folder() : folder_;
    no_growth_ = fmt::format("{}, {}", std::strerror(error), room_of(folder));
    if (is_overflowing || !begin_overflow(kStep)) return false;
  }
  given_ += kStep;
  for (std::size_t end = chunks_ + kStep; chunks_ < end; ++chunks_) {
    trace::give_chunk(pool(), chunks_);
  }
  return true;
}

std::string PoolFile::limit() const {
  const std::string reason = no_growth_.empty() ? "" : fmt::format(" ({})", no_growth_);
  return fmt::format("{} MiB of {}{}", mebibytes(chunks_), folder_, reason);
}

}  // namespace mmt::cli

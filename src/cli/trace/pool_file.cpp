#include "cli/trace/pool_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

std::vector<std::string> candidates() {
  const char* temporary = std::getenv("TMPDIR");
  return {"/dev/shm", temporary != nullptr && *temporary != '\0' ? temporary : "/tmp"};
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
  for (const std::string& folder : candidates()) {
    remove_abandoned(folder);
    if (!make_in(folder)) continue;
    trace::Pool& shared = pool();
    shared.reader = static_cast<std::uint32_t>(::getpid());
    shared.has_sites = has_sites ? 1 : 0;
    shared.first_only = first_only ? 1 : 0;
    shared.magic = trace::kPoolMagic;
    for (std::size_t chunk = 1; chunk < chunks_; ++chunk) trace::give_chunk(shared, chunk);
    return;
  }
  throw Failure(kRunFailed, fmt::format("cannot make a file of {} MiB to record in, in '{}': {}",
                                        trace::kPendingChunks * kChunkBytes >> 20,
                                        fmt::join(candidates(), "' or '"), std::strerror(error_)));
}

bool PoolFile::make_in(const std::string& folder) {
  std::string path = fmt::format("{}/{}XXXXXX", folder, kPrefix);
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) {
    error_ = errno;
    return false;
  }
  ::flock(file, LOCK_EX);
  // Memory for what may be pending is had before the program starts: a page that cannot be had
  // later would be a signal to the program.
  const std::size_t chunks = trace::kPendingChunks + 1;
  error_ = ::ftruncate(file, trace::kPoolBytes) != 0
               ? errno
               : ::posix_fallocate(file, 0, static_cast<off_t>(chunks * kChunkBytes));
  void* memory = MAP_FAILED;
  if (error_ == 0) {
    memory = ::mmap(nullptr, trace::kPoolBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) error_ = errno;
  }
  if (error_ != 0) {
    ::unlink(path.c_str());
    ::close(file);
    return false;
  }
  // The program's user may change on the way, as a service's does.
  if (::geteuid() == 0) ::fchmod(file, 0666);
  path_ = path;
  descriptor_ = file;
  base_ = static_cast<char*>(memory);
  chunks_ = chunks;
  return true;
}

PoolFile::~PoolFile() {
  pool().is_over.store(1);
  ::munmap(base_, trace::kPoolBytes);
  ::unlink(path_.c_str());
  ::close(descriptor_);
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
}

bool PoolFile::grow() {
  constexpr std::size_t kStep = trace::kPendingChunks / 8;
  if (chunks_ + kStep > trace::kMostChunks) return false;
  if (::posix_fallocate(descriptor_, static_cast<off_t>(chunks_ * kChunkBytes),
                        static_cast<off_t>(kStep * kChunkBytes)) != 0) {
    return false;
  }
  for (std::size_t end = chunks_ + kStep; chunks_ < end; ++chunks_) {
    trace::give_chunk(pool(), chunks_);
  }
  return true;
}

}  // namespace mmt::cli

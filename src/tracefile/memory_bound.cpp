#include "tracefile/memory_bound.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <exception>

namespace mmt::tracefile {
namespace {

constexpr uint64_t kMostUnlooked = uint64_t{16} << 20;
// For what has to be told when there is no more.
constexpr size_t kSpareBytes = size_t{4} << 20;

uint64_t allowed = 0;
uint64_t most = 0;  // with what the process had
uint64_t step = 0;  // bytes of requests between two looks
void* spare = nullptr;
// Relaxed: a count that may be off by what runs at the same time.
std::atomic<uint64_t> unlooked = 0;

struct Reading {
  std::string path;
  const char* unit = nullptr;
  uint64_t number = 0;
};
thread_local Reading reading;

// Bytes in memory that are of no file. 0 where the system does not tell.
uint64_t resident() {
  static const int statm = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  char text[128];
  const ssize_t got = ::pread(statm, text, sizeof text, 0);
  if (got <= 0) return 0;
  const char* const end = text + got;
  uint64_t numbers[3] = {};  // size, resident, shared
  const char* at = text;
  for (uint64_t& number : numbers) {
    at = std::from_chars(at, end, number).ptr;
    if (at < end) ++at;
  }
  return (numbers[1] - std::min(numbers[1], numbers[2])) * page;
}

void admit(size_t bytes) {
  if (most == 0) return;
  if (unlooked.fetch_add(bytes, std::memory_order_relaxed) + bytes < step) return;
  MemoryBound::look(bytes);
}

void* allocated(size_t bytes) {
  admit(bytes);
  void* const block = std::malloc(bytes == 0 ? 1 : bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void MemoryBound::set(uint64_t bytes) {
  std::free(spare);
  spare = bytes == 0 ? nullptr : std::malloc(kSpareBytes);
  allowed = bytes;
  most = bytes == 0 ? 0 : resident() + bytes;
  step = std::min(bytes / 64, kMostUnlooked);
  unlooked.store(0, std::memory_order_relaxed);
}

uint64_t MemoryBound::bytes() { return allowed; }

void MemoryBound::look(uint64_t more) {
  if (most == 0) return;
  unlooked.store(0, std::memory_order_relaxed);
  const uint64_t has = resident();
  if (more > most || has > most - more) throw TooMuchMemory(allowed);
}

MemoryBound::Lifted::Lifted() : before_(most) {
  most = 0;
  std::free(spare);
  spare = nullptr;
}

MemoryBound::Lifted::~Lifted() {
  most = before_;
  if (most != 0) spare = std::malloc(kSpareBytes);
}

void NowReading::at(const std::string& path, const char* unit, uint64_t number) {
  if (reading.path != path) reading.path = path;
  reading.unit = unit;
  reading.number = number;
}

std::string NowReading::place() {
  if (reading.path.empty()) return "";
  std::string text = "'" + reading.path + "'";
  if (reading.unit != nullptr) {
    text += std::string(", ") + reading.unit + " " + std::to_string(reading.number);
  }
  return text + ": ";
}

std::string told_of(const std::bad_alloc& failure) {
  const auto* const bound = dynamic_cast<const TooMuchMemory*>(&failure);
  if (bound == nullptr) return NowReading::place() + "no memory is left";
  return NowReading::place() + "it takes more than the " + std::to_string(bound->allowed() >> 20) +
         " MiB of memory that --memory gives";
}

void tell_where_nothing_can_be_thrown(const char* prefix) {
  static const char* before = prefix;
  std::set_terminate([] {
    try {
      if (std::current_exception() != nullptr) std::rethrow_exception(std::current_exception());
    } catch (const std::bad_alloc& failure) {
      const MemoryBound::Lifted lifted;
      const std::string line = before + told_of(failure) + "\n";
      if (::write(STDERR_FILENO, line.data(), line.size()) < 0) ::_exit(1);
      ::_exit(1);
    } catch (...) {
    }
    std::abort();
  });
}

}  // namespace mmt::tracefile

// All forms for blocks of usual alignment: where a sanitizer replaces them too, none of its own may
// be left to meet one of these.
void* operator new(std::size_t bytes) { return mmt::tracefile::allocated(bytes); }
void* operator new[](std::size_t bytes) { return mmt::tracefile::allocated(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return mmt::tracefile::allocated(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t bytes, const std::nothrow_t& none) noexcept {
  return operator new(bytes, none);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }

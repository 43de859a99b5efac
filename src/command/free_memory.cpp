#include "command/free_memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "command/failure.h"
#include "sys/linux/cgroup.h"
#include "tracefile/memory_bound.h"

namespace mmt::command {
namespace {

constexpr std::uint64_t kKibi = 1024;

// "MemAvailable:   23364 kB" of a file of /proc; UINT64_MAX where there is none.
std::uint64_t bytes_in(const char* path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    if (digits == std::string::npos) break;
    std::uint64_t kibibytes = 0;
    std::from_chars(line.data() + digits, line.data() + line.size(), kibibytes);
    return kibibytes * kKibi;
  }
  return UINT64_MAX;
}

// What is left of a limit. The process has as much of it as the named line of its status says.
std::uint64_t left_of(int resource, std::string_view name) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return UINT64_MAX;
  if (limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  const std::uint64_t has = bytes_in("/proc/self/status", name);
  return has == UINT64_MAX || has >= limit.rlim_cur ? 0 : limit.rlim_cur - has;
}

}  // namespace

std::size_t address_space_left() { return left_of(RLIMIT_AS, "VmSize:"); }

std::uint64_t memory_by_default() {
  const std::uint64_t least =
      std::min({bytes_in("/proc/meminfo", "MemAvailable:"), sys::cgroup::memory_left(""),
                left_of(RLIMIT_AS, "VmSize:"), left_of(RLIMIT_DATA, "VmData:")});
  // A system that tells nothing bounds nothing.
  return least == UINT64_MAX ? 0 : std::max<std::uint64_t>(least / 2, 1);
}

std::uint64_t bytes_of_memory(const std::string& text) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 20;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  constexpr std::string_view kSuffixes = "KMGT";
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end + 1 == last) {
    const std::size_t place = kSuffixes.find(*end);
    if (place != std::string_view::npos && value <= kMost) {
      value <<= 10 * (place + 1);
      ++end;
    }
  }
  if (error == std::errc() && end == last && value >= kLeast && value <= kMost) return value;
  throw Failure(kUsage, fmt::format("--memory: '{}' is no number of bytes from 1M to 1024G", text));
}

void bound_memory(const std::string& text) {
  tracefile::MemoryBound::set(text.empty() ? memory_by_default() : bytes_of_memory(text));
}

}  // namespace mmt::command

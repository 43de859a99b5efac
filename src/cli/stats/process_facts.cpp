// Reading /proc/PID/stat and status.
#include "cli/stats/process_facts.h"

#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command/first_line.h"

namespace mmt::cli {

using command::name_of_process;

namespace {

// Fields of stat behind the name, which may hold anything; the first is number 3 of proc(5).
constexpr std::size_t kFirstField = 3;
constexpr std::size_t kMinorFaults = 10;
constexpr std::size_t kMajorFaults = 12;
constexpr std::size_t kThreads = 20;
constexpr std::size_t kStartTime = 22;

std::vector<std::string> stat_fields(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = line.rfind(')');
  if (end == std::string::npos) return {};
  std::istringstream rest(line.substr(end + 1));
  std::vector<std::string> fields;
  for (std::string one; rest >> one;) fields.push_back(one);
  return fields;
}

// "VmRSS:     1234 kB"
std::uint64_t kibibytes_of(const std::string& line) {
  return std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10) * 1024;
}

// Not from stat, which counts in ticks.
double cpu_seconds(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void read_memory(pid_t process, ProcessFacts& facts) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmRSS:")) facts.resident_bytes = kibibytes_of(line);
    if (line.starts_with("VmHWM:")) facts.resident_peak_bytes = kibibytes_of(line);
  }
}

}  // namespace

ProcessFacts process_facts(pid_t process) {
  ProcessFacts facts;
  facts.program = name_of_process(process);
  const std::vector<std::string> fields = stat_fields(process);
  const auto field = [&](std::size_t number) -> std::uint64_t {
    const std::size_t at = number - kFirstField;
    return at < fields.size() ? std::strtoull(fields[at].c_str(), nullptr, 10) : 0;
  };
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  facts.page_faults = field(kMinorFaults) + field(kMajorFaults);
  facts.cpu_seconds = cpu_seconds(process);
  facts.threads = field(kThreads);
  facts.seconds = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
                  static_cast<double>(field(kStartTime)) / ticks;
  // The kernel counts in ticks.
  if (facts.seconds < 1 / ticks) facts.seconds = 1 / ticks;
  read_memory(process, facts);
  return facts;
}

}  // namespace mmt::cli

// Finding and reading the statistics page in another process's memory.
#include "cli/stats/stats_reader.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "cli/stats/claims.h"
#include "cli/stats/heap_in_process.h"
#include "cli/stats/process_tree.h"
#include "command/first_line.h"
#include "interprocess/stats_page.h"
#include "programs/elf.h"
#include "programs/process_maps.h"

namespace mmt::cli {

using command::Failure;
using command::first_line;
using command::kFailed;
using command::name_of_process;
using programs::find_dynamic_symbol;
using programs::mapped_files;
using programs::MappedFile;
using programs::parse_elf;

namespace {

using observe::StatsPage;

constexpr const char* kPage = "mmt_stats_page";
constexpr const char* kPeaks = "mmt_stats_peaks";
// The writer holds the page for less than a microsecond: after so long it has died. Pauses are
// longer than they say on a machine that is busy.
constexpr std::chrono::milliseconds kLongestRest{500};
constexpr std::chrono::milliseconds kShortRest{20};
constexpr int kLeastTries = 10;
constexpr int kPauseUs = 50;
// How often and how long to wait for a program that has just been started.
constexpr int kExecTries = 20;
constexpr int kExecPauseUs = 5000;

// 0 or an errno.
int read_memory(pid_t process, std::uint64_t address, void* out, std::size_t size) {
  const iovec local{out, size};
  const iovec remote{reinterpret_cast<void*>(address), size};
  ssize_t got = ::process_vm_readv(process, &local, 1, &remote, 1, 0);
  // Containers refuse the call, not what it does.
  if (got < 0 && (errno == EPERM || errno == ENOSYS)) {
    const int refused = errno;
    const int memory = ::open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC);
    got = memory < 0 ? -1 : ::pread(memory, out, size, static_cast<off_t>(address));
    const int error = memory < 0 ? refused : errno;
    if (memory >= 0) ::close(memory);
    errno = error;
  }
  if (got < 0) return errno == EIO ? EFAULT : errno;
  return static_cast<std::size_t>(got) == size ? 0 : EFAULT;
}

[[noreturn]] void no_permission(pid_t process) {
  const std::string scope = first_line("/proc/sys/kernel/yama/ptrace_scope");
  const std::string_view sudo = ::geteuid() == 0 ? "" : ": use sudo";
  const std::string yama =
      !scope.empty() && scope != "0"
          ? fmt::format(", and kernel.yama.ptrace_scope is {}{}", scope, sudo)
          : fmt::format("; it belongs to another user or is protected{}", sudo);
  throw NotAllowed(kFailed, fmt::format("no permission to look into process {}{}", process, yama));
}

// A thread whose memory is there: that of a main thread which has ended is not.
pid_t living_task(pid_t process) {
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), ignored)) {
    const pid_t task = std::atoi(entry.path().filename().c_str());
    const auto files = mapped_files(task);
    if (files && !files->empty()) return task;
  }
  return process;
}

std::vector<MappedFile> files_of(pid_t process, pid_t task) {
  const auto files = mapped_files(task);
  if (!files) {
    if (errno == ENOENT) throw Failure(kFailed, fmt::format("there is no process {}", process));
    if (errno == EACCES || errno == EPERM) no_permission(process);
    throw Failure(kFailed, fmt::format("cannot read the maps of process {}: {}", process,
                                       std::strerror(errno)));
  }
  if (files->empty()) {
    throw Failure(kFailed, fmt::format("process {} has no memory of its own: it has ended, or is a "
                                       "thread of the kernel",
                                       process));
  }
  return *files;
}

bool is_magic(const char (&magic)[sizeof observe::kStatsMagic]) {
  return std::memcmp(magic, observe::kStatsMagic, sizeof magic) == 0;
}

// Address of the symbol when `file` is a libmmt.so that has it.
std::optional<std::uint64_t> find_symbol(pid_t process, const MappedFile& file, const char* name) {
  const auto at = [&](std::uint64_t base) {
    return [process, base](std::uint64_t address, void* out, std::size_t size) {
      const int error = read_memory(process, base + address, out, size);
      if (error == EPERM) no_permission(process);
      return error == 0;
    };
  };
  const auto image = parse_elf(at(file.base));
  if (!image || !image->native) return std::nullopt;
  const ElfW(Phdr)* first = image->segment(PT_LOAD);
  if (first == nullptr) return std::nullopt;
  const std::uint64_t bias = file.base - (first->p_vaddr - first->p_offset);
  const auto symbol = find_dynamic_symbol(*image, at(bias), bias, name);
  if (!symbol) return std::nullopt;
  return bias + *symbol;
}

}  // namespace

bool has_ended(pid_t process) {
  const auto files = mapped_files(living_task(process));
  return !files || files->empty();
}

StatsReader::StatsReader(pid_t process, bool is_patient)
    : process_(process), is_patient_(is_patient) {
  locate();
}

void StatsReader::locate() {
  const pid_t process = process_;
  task_ = living_task(process);
  page_ = 0;
  peaks_ = 0;
  library_.clear();
  const std::vector<MappedFile> files = files_of(process, task_);
  program_ = name_of_process(process);
  for (const MappedFile& file : files) {
    if (!file.name().starts_with("libmmt.")) continue;
    library_ = file.path;
    const auto page = find_symbol(task_, file, kPage);
    if (!page) continue;
    page_ = *page;
    peaks_ = find_symbol(task_, file, kPeaks).value_or(0);
    break;
  }
  if (page_ != 0) return;
  if (!library_.empty()) {
    throw Failure(kFailed,
                  fmt::format("'{}' in process {} has no statistics that this mmt can read",
                              library_, process));
  }
  if (const auto heap = heap_in_process(process, files)) {
    throw Failure(kFailed, fmt::format("process {} ({}) runs on {} ({}), which has no statistics "
                                       "page",
                                       process, program_, heap->name,
                                       heap->library.substr(heap->library.rfind('/') + 1)));
  }
  throw Failure(kFailed, fmt::format("process {} ({}) does not run under MMT: no libmmt.so is "
                                     "loaded in it",
                                     process, program_));
}

std::vector<std::uint64_t> StatsReader::read() {
  // After an exec the page is elsewhere, and the library not there for a moment.
  for (int tries = 0; tries < (is_patient_ ? kExecTries : 1); ++tries) {
    char magic[sizeof observe::kStatsMagic];
    const int error = read_memory(task_, page_ + offsetof(StatsPage, magic), magic, sizeof magic);
    if (error == EPERM) no_permission(process_);
    if (error == 0 && is_magic(magic)) {
      return figures();
    }
    if (has_ended(process_)) return {};
    if (!is_patient_) break;
    ::usleep(kExecPauseUs);
    try {
      locate();
    } catch (const Failure&) {
      if (has_ended(process_)) return {};
      if (tries + 1 == kExecTries) throw;
    }
  }
  throw Failure(kFailed,
                fmt::format("process {} has no statistics yet: it has not allocated", process_));
}

std::vector<std::uint64_t> StatsReader::figures() const {
  auto values = read_page();
  raise_peaks(values);
  const std::string doubt = doubt_of(values);
  if (doubt.empty()) return values;
  throw Failure(kFailed,
                fmt::format("the statistics of process {} are not believed: {}", process_, doubt));
}

// The page is as old as the last look at the heap.
void StatsReader::raise_peaks(std::vector<std::uint64_t>& values) const {
  std::uint64_t place = 0;
  decltype(observe::PageFile::peaks) peaks;
  if (peaks_ == 0 || read_memory(task_, peaks_, &place, sizeof place) != 0 || place == 0 ||
      read_memory(task_, place, &peaks, sizeof peaks) != 0)
    return;
  raise_figure(values, observe::Stat::kMostInUseBytes, peaks.used);
  raise_figure(values, observe::Stat::kPeakHeldBytes, peaks.held);
}

std::vector<std::uint64_t> StatsReader::read_page() const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + (is_patient_ ? kLongestRest : kShortRest);
  int tries = 0;
  while (tries++ < kLeastTries || Clock::now() < deadline) {
    StatsPage page;
    const int error = read_memory(task_, page_, &page, sizeof page);
    if (error != 0) {
      if (has_ended(process_)) return {};
      throw Failure(kFailed, fmt::format("cannot read the statistics of process {}: {}", process_,
                                         std::strerror(error)));
    }
    if (page.version != observe::kStatsVersion) {
      throw Failure(kFailed,
                    fmt::format("process {} writes statistics of version {}, this mmt reads "
                                "version {}",
                                process_, page.version, observe::kStatsVersion));
    }
    // A single read is no snapshot: the writer may have been at work in the middle of it.
    std::uint64_t after = 0;
    if (read_memory(task_, page_ + offsetof(StatsPage, sequence), &after, sizeof after) != 0 ||
        after != page.sequence || after % 2 != 0) {
      ::usleep(kPauseUs);
      continue;
    }
    const std::size_t known = std::min<std::size_t>(page.count, std::size(observe::kStatFields));
    if (known == 0) throw Failure(kFailed, fmt::format("process {} has no figures", process_));
    return {page.values, page.values + known};
  }
  throw Failure(kFailed, fmt::format("the statistics of process {} never come to rest", process_));
}

}  // namespace mmt::cli

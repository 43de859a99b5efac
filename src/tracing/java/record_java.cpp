#include "tracing/java/record_java.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "command/distinct_files.h"
#include "command/failure.h"
#include "command/message.h"
#include "programs/become.h"
#include "programs/installation.h"
#include "programs/program.h"
#include "programs/supervise.h"
#include "tracefile/writer.h"
#include "tracing/java/record_stream.h"
#include "tracing/trace_files.h"

namespace mmt::tracing {

using command::check_distinct;
using command::Failure;
using command::kRunFailed;
using command::tell;
using programs::become;
using programs::Command;
using programs::end_like;
using programs::Ending;
using programs::find_program;
using programs::libraries_folder;
using programs::remedy_for;
using programs::supervise;

namespace {

namespace fs = std::filesystem;

constexpr const char* kAgent = "libmmt-java.so";

// Where src/java/CMakeLists.txt looks for those of a JDK.
bool has_headers() {
  constexpr const char* kHeader = "include/jvmti.h";
  std::error_code ignored;
  const char* const home = std::getenv("JAVA_HOME");
  if (home != nullptr && fs::exists(fs::path(home) / kHeader, ignored)) return true;
  for (const auto& jdk : fs::directory_iterator("/usr/lib/jvm", ignored)) {
    if (fs::exists(jdk.path() / kHeader, ignored)) return true;
  }
  return false;
}

std::string agent_path() {
  const std::string path = (fs::path(libraries_folder()) / kAgent).string();
  if (::access(path.c_str(), R_OK) == 0) return path;
  constexpr const char* kPackage = "(apt-get install openjdk-17-jdk-headless)";
  std::string remedy = remedy_for(path);
  if (remedy.empty()) {
    remedy = fmt::format(": MMT was built without a JDK's headers {}", kPackage);
  } else if (!has_headers()) {
    remedy = fmt::format(": 'make' makes it where a JDK's headers are {}", kPackage);
  }
  throw Failure(kRunFailed, fmt::format("there is no '{}'{}", path, remedy));
}

// Read from without waiting; the program holds the other end. The parent's own copy of that keeps
// the pipe from looking ended while the program has not begun.
class RecordPipe {
 public:
  RecordPipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw Failure(kRunFailed, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    ::fcntl(ends_[0], F_SETPIPE_SZ, 1 << 20);  // as much as it may have
  }
  ~RecordPipe() {
    for (const int one : ends_) ::close(one);
  }
  RecordPipe(const RecordPipe&) = delete;
  RecordPipe& operator=(const RecordPipe&) = delete;

  int news() const { return ends_[0]; }
  int program_end() const { return ends_[1]; }

  void drain(RecordStream& stream) {
    ssize_t count = 0;
    while ((count = ::read(ends_[0], buffer_.data(), buffer_.size())) > 0) {
      stream.add(buffer_.data(), static_cast<size_t>(count));
    }
  }

 private:
  std::array<int, 2> ends_{};
  std::array<char, 1 << 16> buffer_;
};

// Begins with the machine's first event: until then an earlier file stays. What cannot be written
// is left to be told at the end: the machine goes on.
class LateTrace {
 public:
  LateTrace(std::string path, tracefile::Header header)
      : path_(std::move(path)), header_(std::move(header)) {
    check_trace_output(path_);
  }

  void add(const tracefile::Event& event) {
    attempt([&] {
      if (!writer_) writer_.emplace(path_, header_);
      writer_->add(event);
    });
  }
  void finish() {
    attempt([&] {
      if (writer_) writer_->finish();
    });
  }
  // Empty: none.
  const std::string& failure() const { return failure_; }

 private:
  template <class Write>
  void attempt(Write write) {
    if (!failure_.empty()) return;
    try {
      write();
    } catch (const std::runtime_error& error) {
      failure_ = error.what();
    }
  }

  std::string path_;
  tracefile::Header header_;
  std::optional<tracefile::Writer> writer_;
  std::string failure_;
};

// Whether the trace is as it should be.
bool tell_fault(const LateTrace& file, const RecordStream& stream) {
  for (const std::string& one : {stream.fault(), file.failure()}) {
    if (!one.empty()) tell(one);
  }
  return stream.fault().empty() && file.failure().empty();
}

void tell_result(const JavaTrace& trace, const RecordStream& stream) {
  if (stream.foreign() > 0) {
    tell(fmt::format("{} records of other Java machines were left out: only the first is traced",
                     stream.foreign()));
  }
  if (!stream.is_whole()) {
    tell("the Java machine did not end by itself: the trace ends where it did");
  }
  if (trace.quiet) return;
  tell(fmt::format(
      "'{}': {} allocations, {} frees; a death is known at most {} bytes of allocation "
      "after it, by {} forced collections",
      trace.output, stream.allocations(), stream.frees(), trace.precision, stream.collections()));
}

}  // namespace

uint64_t bytes_of_precision(const std::string& text) {
  constexpr uint64_t kLeast = 4096;
  constexpr uint64_t kMost = uint64_t{1} << 40;
  uint64_t value = 0;
  const char* const last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, value);
  constexpr std::string_view kSuffixes = "KMG";
  if (error == std::errc() && end + 1 == last) {
    const size_t place = kSuffixes.find(*end);
    if (place != std::string_view::npos && value <= kMost) {
      value <<= 10 * (place + 1);
      ++end;
    }
  }
  if (error == std::errc() && end == last && value >= kLeast && value <= kMost) return value;
  throw Failure(kRunFailed,
                fmt::format("--precision: '{}' is no number of bytes from 4K to 1024G", text));
}

Command with_agent(const Command& command, const std::string& options) {
  const std::vector<std::string> added{"-agentpath:" + options, "-XX:TieredStopAtLevel=1"};
  Command result = command;
  if (fs::path(command.front()).filename() == "java") {
    result.insert(result.begin() + 1, added.begin(), added.end());
    return result;
  }
  // javac and other tools of a JDK, and scripts that start a machine.
  const char* before = std::getenv("JAVA_TOOL_OPTIONS");
  const std::string others = before == nullptr ? "" : fmt::format("{} ", before);
  ::setenv("JAVA_TOOL_OPTIONS", (others + added[0] + " " + added[1]).c_str(), 1);
  return result;
}

int record_java(const JavaTrace& options, const Command& command) {
  JavaTrace trace = options;
  if (trace.output.empty()) {
    trace.output = fs::path(command.front()).filename().string() + ".mtr";
  }
  const std::string path = find_program(command.front());
  check_distinct(trace.output, path, kRunFailed);
  const std::string agent = agent_path();
  RecordPipe pipe;
  tracefile::Header header;
  header.program = fmt::format("{}", fmt::join(command, " "));
  header.source = fmt::format("mmt trace --java --precision {}", trace.precision);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  header.start_ns =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  LateTrace file(trace.output, header);
  RecordStream stream([&file](const tracefile::Event& event) { file.add(event); });
  const Command words = with_agent(
      command, fmt::format("{}=fd={},precision={}", agent, pipe.program_end(), trace.precision));
  const auto start = [&] {
    ::fcntl(pipe.program_end(), F_SETFD, 0);  // the agent closes it for what the program starts
    become(path, words);
  };
  const Ending ending = supervise(start, pipe.news(), [&] { pipe.drain(stream); });
  pipe.drain(stream);
  file.finish();
  if (ending.is_started) {
    if (!tell_fault(file, stream)) {
      if (WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 0) return kRunFailed;
    } else if (stream.allocations() == 0) {
      throw Failure(kRunFailed, fmt::format("'{}' started no Java machine that loads an agent",
                                            command.front()));
    } else {
      tell_result(trace, stream);
    }
  }
  if (WIFEXITED(ending.status)) return WEXITSTATUS(ending.status);
  end_like(ending.status);
}

}  // namespace mmt::tracing

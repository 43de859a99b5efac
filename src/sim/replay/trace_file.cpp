#include "sim/replay/trace_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "tracefile/import/import.h"
#include "tracefile/import/lines.h"
#include "tracefile/reader.h"

namespace mmt::sim {
namespace {

// By the first line of text that is not empty; "": none of another tool's.
std::string format_of_text(const std::string& path) {
  tracefile::Lines lines(path);
  std::string_view line;
  while (lines.next(line) && line.empty()) {
  }
  if (line.starts_with("v ")) return "heaptrack";
  if (line.starts_with("= Start") || line.starts_with("@ ")) return "mtrace";
  if (line.starts_with("a ") || line.starts_with("#")) return "rep";
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0) return "";
  return line.substr(digits).starts_with(": ") ? "memory_replay" : "rep";
}

// What a file has, by how it begins; "": a trace file of ours. It is read from its start again, so
// that it must be a file.
std::string format_of(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    throw std::runtime_error(fmt::format("'{}' is no regular file, as a trace must be", path));
  }
  std::ifstream file(path, std::ios::binary);
  std::string begin(512, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<size_t>(file.gcount()));
  if (begin.starts_with("\x1f\x8b") || begin.starts_with("\x28\xb5\x2f\xfd")) {
    const std::string format = format_of_text(path);
    return format.empty() ? "heaptrack" : format;  // whose import says what is wrong
  }
  const bool is_text = !begin.empty() && begin.find('\0') == std::string::npos;
  return is_text ? format_of_text(path) : "";
}

// A file without a name, which ends with this.
class Scratch {
 public:
  Scratch() : descriptor_(::memfd_create("mmt-trace", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("no memory for a trace that is converted");
  }
  ~Scratch() { ::close(descriptor_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

class TraceFile final : public EventSource {
 public:
  TraceFile(const std::string& path, const std::string& name) : reader_(path, name) {}

  std::span<const tracefile::Event> next() override { return reader_.next(); }
  void rewind() override { reader_.seek(0); }
  std::optional<uint64_t> count() const override { return reader_.events(); }

 private:
  tracefile::Reader reader_;
};

}  // namespace

std::unique_ptr<EventSource> open_trace(const std::string& path) {
  const std::string format = format_of(path);
  if (format.empty()) return std::make_unique<TraceFile>(path, path);
  const Scratch scratch;
  tracefile::import_trace(format, path, scratch.path());
  return std::make_unique<TraceFile>(scratch.path(), path);  // which keeps it
}

}  // namespace mmt::sim

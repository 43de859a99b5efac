#include "sim/replay/trace_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cctype>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

#include "tracefile/import/import.h"
#include "tracefile/reader.h"

namespace mmt::sim {
namespace {

// What a file has, by how it begins; "": a trace file of ours.
std::string format_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(512, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<size_t>(file.gcount()));
  if (begin.starts_with("\x1f\x8b") || begin.starts_with("\x28\xb5\x2f\xfd") ||
      begin.starts_with("v ")) {
    return "heaptrack";
  }
  const bool is_text = begin.find('\0') == std::string::npos;
  if (!is_text) return "";
  if (begin.starts_with("= Start") || begin.starts_with("@ ")) return "mtrace";
  if (begin.find(": malloc ") != std::string::npos ||
      begin.find(": calloc ") != std::string::npos ||
      begin.find(": thread_done") != std::string::npos) {
    return "memory_replay";
  }
  const bool is_operation = begin.starts_with("a ") || begin.starts_with("#");
  const bool is_number = !begin.empty() && std::isdigit(static_cast<unsigned char>(begin[0])) != 0;
  return is_operation || is_number ? "rep" : "";
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
  explicit TraceFile(const std::string& path) : reader_(path) {}

  std::span<const tracefile::Event> next() override { return reader_.next(); }
  void rewind() override { reader_.seek(0); }
  std::optional<uint64_t> count() const override { return reader_.events(); }

 private:
  tracefile::Reader reader_;
};

}  // namespace

std::unique_ptr<EventSource> open_trace(const std::string& path) {
  const std::string format = format_of(path);
  if (format.empty()) return std::make_unique<TraceFile>(path);
  const Scratch scratch;
  tracefile::import_trace(format, path, scratch.path());
  return std::make_unique<TraceFile>(scratch.path());  // which keeps it
}

}  // namespace mmt::sim

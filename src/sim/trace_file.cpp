#include "sim/trace_file.h"

#include "sim/rep_text.h"
#include "tracefile/reader.h"

namespace mmt::sim {
namespace {

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
  if (path.ends_with(".rep")) return std::make_unique<EventList>(read_rep(path));
  return std::make_unique<TraceFile>(path);
}

}  // namespace mmt::sim

// `--addresses` and `--flat`: what replays by real allocators are held against, and read.
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/simulate/replaying.h"
#include "command/failure.h"
#include "command/message.h"
#include "sim/real/flat_trace.h"
#include "sim/replay/replay.h"
#include "tracefile/output_file.h"

namespace mmt::cli {

using command::Failure;
using command::kFailed;
using command::kUsage;
using command::tell;

namespace {

class File {
 public:
  explicit File(const std::string& path)
      : path_(path), file_(tracefile::open_output(path == "-" ? "/dev/stdout" : path)) {
    if (file_ < 0) fail();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (file_ >= 0) ::close(file_);
  }
  void write(const void* bytes, size_t count) {
    pending_.append(static_cast<const char*>(bytes), count);
    if (pending_.size() >= kPiece) flush();
  }
  void close() {
    flush();
    if (::close(std::exchange(file_, -1)) != 0) fail();
  }

 private:
  static constexpr size_t kPiece = size_t{64} << 10;

  void flush() {
    for (size_t at = 0; at < pending_.size();) {
      const ssize_t done = ::write(file_, pending_.data() + at, pending_.size() - at);
      if (done < 0 && errno != EINTR) fail();
      if (done > 0) at += static_cast<size_t>(done);
    }
    pending_.clear();
  }
  [[noreturn]] void fail() const {
    throw Failure(kFailed, fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
  }

  std::string path_;
  int file_;
  std::string pending_;
};

class AddressLines final : public sim::Observer {
 public:
  explicit AddressLines(File& file) : file_(file) {}

  void allocated(uint64_t event, sim::Row, const sim::Placed& placed) override {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{} {} {}\n", event, placed.at, placed.bytes);
    file_.write(line_.data(), line_.size());
  }
  void freed(uint64_t, sim::Row, const sim::Placed&) override {}
  void resized(uint64_t event, sim::Row row, const sim::Placed&, const sim::Placed& now) override {
    allocated(event, row, now);
  }

 private:
  File& file_;
  fmt::memory_buffer line_;
};

// Behind which event the most bytes are live.
class LivePeak {
 public:
  void add(std::span<const sim::RowEvent> events) {
    for (const sim::RowEvent& one : events) {
      if (one.op != sim::RowEvent::Op::kNothing) set(one);
      ++seen_;
    }
  }
  uint64_t event() const { return event_; }

 private:
  void set(const sim::RowEvent& one) {
    if (one.row >= bytes_of_.size()) bytes_of_.resize(2 * size_t{one.row} + 1024);
    const uint64_t bytes = one.op == sim::RowEvent::Op::kFree ? 0 : one.bytes;
    live_ += bytes - bytes_of_[one.row];
    bytes_of_[one.row] = bytes;
    if (live_ <= most_) return;
    most_ = live_;
    event_ = seen_;
  }

  std::vector<uint64_t> bytes_of_;
  uint64_t seen_ = 0;
  uint64_t live_ = 0;
  uint64_t most_ = 0;
  uint64_t event_ = 0;
};

}  // namespace

void write_addresses(const ReplayRequest& request) {
  std::vector<NamedReplayModel> models = make_models(request);
  if (models.size() != 1) throw Failure(kUsage, "--addresses is for a single allocator");
  File file(request.addresses);
  AddressLines lines(file);
  sim::Replay replay(*models.front().model);
  replay.add_observer(&lines);
  const std::unique_ptr<sim::EventSource> source = open_source(request);
  sim::ObjectRows rows;
  std::vector<sim::RowEvent> events;
  for_each_part(request, *source, [&](std::span<const tracefile::Event> part) {
    rows.translate(part, events);
    replay.run(events);
    return true;
  });
  file.close();
}

void write_flat(const ReplayRequest& request) {
  const std::unique_ptr<sim::EventSource> source = open_source(request);
  std::vector<sim::RowEvent> events;
  sim::FlatHeader header;
  sim::ObjectRows counted;
  LivePeak peak;
  std::optional<Damage> damage;
  try {
    for_each_part(request, *source, [&](std::span<const tracefile::Event> part) {
      counted.translate(part, events);
      peak.add(events);
      header.events += events.size();
      return true;
    });
  } catch (const Damage& found) {
    if (found.read() == 0) throw;
    damage = found;
  }
  header.rows = counted.most();
  header.peak_event = peak.event();
  File file(request.flat);
  file.write(&header, sizeof header);
  sim::ObjectRows rows;
  uint64_t done = 0;
  std::vector<sim::FlatEvent> flat;
  for_each_part(request, *source, [&](std::span<const tracefile::Event> part) {
    rows.translate(part, events);
    flat.clear();
    for (const sim::RowEvent& one : events) {
      flat.push_back({static_cast<uint8_t>(one.op), one.alignment, 0, one.row, one.bytes});
    }
    file.write(flat.data(), flat.size() * sizeof(sim::FlatEvent));
    return (done += part.size()) < header.events;
  });
  file.close();
  if (damage) tell(damage->what());
}

}  // namespace mmt::cli

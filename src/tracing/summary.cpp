#include "tracing/summary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "command/message.h"
#include "core/flat_map.h"
#include "report/units.h"
#include "report/visible.h"
#include "tracefile/event.h"
#include "tracefile/memory_bound.h"
#include "tracefile/reader.h"
#include "tracing/site_names.h"
#include "tracing/trace_list.h"

namespace mmt::tracing {

using command::show;
using command::tell;

namespace {

using tracefile::Event;
using tracefile::Kind;
using tracefile::Reader;

std::string bytes(std::uint64_t amount) {
  return report::format_bytes(static_cast<double>(amount));
}

class Summary {
 public:
  // The reader has checked that frees and resizes are of live objects.
  void add(const Event& event) {
    ++kinds_[static_cast<std::size_t>(event.kind)];
    threads_ = std::max<std::uint64_t>(threads_, std::uint64_t{event.thread} + 1);
    if (event.site != 0) add_site(event);
    if (event.kind == Kind::kAllocate) {
      ++sizes_[static_cast<std::size_t>(std::bit_width(event.bytes))];
      if (can_bear(event.bytes)) bear(event);
    } else if (event.kind == Kind::kResize && can_bear(event.bytes)) {
      die(event.object);
      bear(event);
    } else if (event.kind == Kind::kFree) {
      die(event.object);
    }
    peak_bytes_ = std::max(peak_bytes_, bytes_);
    peak_blocks_ = std::max<std::uint64_t>(peak_blocks_, live_.size());
  }

  void print(const Reader& reader, const std::string& path, std::uint64_t last_ns) const {
    std::uint64_t events = 0;
    for (const std::uint64_t one : kinds_) events += one;
    std::error_code ignored;
    const auto size = static_cast<double>(std::filesystem::file_size(path, ignored));
    line("trace", path);
    line("program", reader.header().program);
    line("from", fmt::format("{}, process {}", reader.header().source, reader.header().process));
    line("events",
         fmt::format("{}: {} allocated, {} freed, {} resized; {} bytes each in the file",
                     report::format_count(events), count(Kind::kAllocate), count(Kind::kFree),
                     count(Kind::kResize),
                     report::format_number(
                         size / static_cast<double>(std::max<std::uint64_t>(events, 1)))));
    line("threads", report::format_count(threads_));
    line("live", fmt::format("{} in {} at the peak; {} in {} at the end", bytes(peak_bytes_),
                             report::counted(peak_blocks_, "block", "blocks"), bytes(bytes_),
                             report::counted(live_.size(), "block", "blocks")));
    if (unborne_ != 0) {
      line("", fmt::format("without {} of more than any allocator has",
                           report::counted(unborne_, "request", "requests")));
    }
    line("sizes", sizes());
    if (!sites_.empty()) print_sites(reader);
    if (last_ns != 0) {
      line("time", report::format_value(1e-9 * static_cast<double>(last_ns), "s"));
    }
  }

 private:
  static void line(const char* name, const std::string& text) {
    show(fmt::format("{:<11} {}\n", name, report::visible(text)));
  }
  std::string count(Kind kind) const {
    return report::format_count(kinds_[static_cast<std::size_t>(kind)]);
  }

  // As `mmt simulate` has it: no allocator gives more, in all. Such a request leaves all as it was.
  bool can_bear(std::uint64_t bytes) {
    const bool can = bytes <= tracefile::kMostBytes && borne_ <= tracefile::kMostBytes - bytes;
    if (!can) ++unborne_;
    return can;
  }
  void bear(const Event& event) {
    live_.add(event.object, event.bytes);
    bytes_ += event.bytes;
    borne_ += event.bytes;
  }
  void die(tracefile::Object object) {
    auto* const one = live_.find(object);
    if (one == nullptr) return;  // it was never borne
    bytes_ -= one->value;
    live_.remove(one);
  }

  struct Site {
    std::uint32_t number = 0;
    std::uint64_t bytes = 0;
    std::uint64_t calls = 0;
  };

  void add_site(const Event& event) {
    Site& site = sites_[event.site];
    site.number = event.site;
    site.bytes += event.bytes;
    ++site.calls;
  }

  // Those that ask for most bytes.
  void print_sites(const Reader& reader) const {
    constexpr std::size_t kShown = 5;
    std::vector<Site> most;
    for (const auto& [number, one] : sites_) most.push_back(one);
    const auto end = most.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, most.size()));
    std::partial_sort(most.begin(), end, most.end(), [](const Site& one, const Site& other) {
      return one.bytes != other.bytes ? one.bytes > other.bytes : one.number < other.number;
    });
    most.erase(end, most.end());
    SiteNames names(reader);
    std::string all = report::format_count(sites_.size());
    std::string lines;
    for (const Site& one : most) {
      lines += fmt::format("{:11} {:>9} in {:>10}  {}\n", "", bytes(one.bytes),
                           report::counted(one.calls, "call", "calls"), names.of(one.number));
    }
    if (!names.why_none().empty()) all += "; no functions: " + names.why_none();
    line("call sites", all);
    show(lines);
  }

  // Half of the blocks are of at most so many bytes, and so on.
  std::string sizes() const {
    const std::uint64_t all = kinds_[static_cast<std::size_t>(Kind::kAllocate)];
    std::string text;
    for (const double share : {0.5, 0.9, 0.99}) {
      std::uint64_t seen = 0;
      std::size_t width = 0;
      while (width < sizes_.size() &&
             static_cast<double>(seen += sizes_[width]) < share * static_cast<double>(all)) {
        ++width;
      }
      text += fmt::format("{}{:.0f}% below {}", text.empty() ? "" : ", ", 100 * share,
                          bytes(width < 64 ? std::uint64_t{1} << width : UINT64_MAX));
    }
    return text;
  }

  std::array<std::uint64_t, 6> kinds_{};
  std::array<std::uint64_t, 65> sizes_{};  // by number of bits
  core::FlatMap<std::uint64_t> live_;      // bytes, by object
  std::uint64_t threads_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t borne_ = 0;    // bytes of all so far
  std::uint64_t unborne_ = 0;  // requests
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t peak_blocks_ = 0;
  // Sites are found by number. A crafted trace names numbers far apart.
  std::unordered_map<std::uint32_t, Site> sites_;
};

void show_one(const std::string& path) {
  Reader reader(path);
  Summary summary;
  std::uint64_t last_ns = 0;
  std::string error;
  try {
    for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) {
      for (const Event& one : frame) summary.add(one);
      last_ns = reader.end_ns();
    }
  } catch (const std::runtime_error& damage) {
    error = damage.what();
  }
  summary.print(reader, path, last_ns);
  if (!error.empty()) throw std::runtime_error(error);
}

}  // namespace

void show_trace(const std::string& path) {
  std::vector<std::string> faults;
  bool is_first = true;
  for (const ListedTrace& one : traces_of(path)) {
    if (!is_first) show("\n");
    is_first = false;
    std::string fault;
    try {
      show_one(one.path);
    } catch (const std::runtime_error& error) {
      fault = error.what();
    } catch (const std::bad_alloc& failure) {
      const tracefile::MemoryBound::Lifted lifted;
      fault = tracefile::told_of(failure);
    }
    if (!one.error.empty()) {
      fault = fmt::format("'{}' was not written whole: {}{}{}", one.path, one.error,
                          fault.empty() ? "" : "; ", fault);
    }
    if (!fault.empty()) faults.push_back(fault);
  }
  if (faults.empty()) return;
  for (std::size_t at = 0; at + 1 < faults.size(); ++at) tell(faults[at]);
  throw std::runtime_error(faults.back());
}

}  // namespace mmt::tracing

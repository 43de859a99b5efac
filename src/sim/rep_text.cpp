#include "sim/rep_text.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

namespace mmt::sim {
namespace {

using tracefile::Event;
using tracefile::Kind;
using tracefile::Object;

class RepReader {
 public:
  explicit RepReader(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw std::runtime_error(fmt::format("cannot read '{}'", path));
  }

  std::vector<Event> read() {
    unsigned numbers = 0;
    for (std::string line; std::getline(file_, line);) {
      ++number_;
      std::istringstream words(line);
      std::string first;
      if (!(words >> first)) continue;
      if (numbers < 4 && first.find_first_not_of("0123456789") == std::string::npos) {
        ++numbers;
        continue;
      }
      add(first, words);
    }
    return std::move(events_);
  }

 private:
  void add(const std::string& what, std::istringstream& words) {
    Event event;
    std::string rest;
    uint64_t id = 0;
    if (!(words >> id)) fail(fmt::format("'{}' is no operation on an object", what));
    const auto live = live_.find(id);
    const bool is_live = live != live_.end();
    if (what != "f" && !(words >> event.bytes)) fail("no number of bytes");
    if (words >> rest) fail(fmt::format("'{}' is one word too many", rest));
    if (what == "a") {
      if (is_live) fail(fmt::format("object {} is live already", id));
      event.object = live_[id] = ++newest_;
    } else if (what == "f" || what == "r") {
      if (!is_live) fail(fmt::format("object {} is not live", id));
      event.object = live->second;
      event.kind = what == "f" ? Kind::kFree : Kind::kResize;
      if (what == "f") live_.erase(live);
    } else {
      fail(fmt::format("'{}' is no operation", what));
    }
    events_.push_back(event);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(
        fmt::format("trace '{}', line {}, event {}: {}", path_, number_, events_.size(), what));
  }

  std::string path_;
  std::ifstream file_;
  uint64_t number_ = 0;
  std::vector<Event> events_;
  std::unordered_map<uint64_t, Object> live_;
  Object newest_ = 0;
};

}  // namespace

std::vector<Event> read_rep(const std::string& path) { return RepReader(path).read(); }

}  // namespace mmt::sim

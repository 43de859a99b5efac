#include "sim/check/shrinker.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace mmt::sim {
namespace {

using tracefile::Event;
using tracefile::Kind;
using tracefile::Object;

bool names_object(const Event& event) {
  return event.kind == Kind::kAllocate || event.kind == Kind::kFree || event.kind == Kind::kResize;
}

std::vector<Object> objects_of(const Events& events) {
  std::vector<Object> out;
  for (const Event& event : events) {
    if (event.kind == Kind::kAllocate) out.push_back(event.object);
  }
  return out;
}

Events without(const Events& events, const std::unordered_set<Object>& dropped) {
  Events out;
  for (const Event& event : events) {
    if (names_object(event) && !dropped.contains(event.object)) out.push_back(event);
  }
  return out;
}

class Shrinker {
 public:
  Shrinker(const std::function<bool(const Events&)>& fails, unsigned most)
      : fails_(fails), left_(most) {}

  Events run(Events events) {
    events_ = renumbered(events);
    cut_end();
    drop_objects();
    drop_events(Kind::kFree);
    drop_events(Kind::kResize);
    halve_sizes();
    return events_;
  }

 private:
  bool accept(const Events& candidate) {
    if (left_ == 0) return false;
    --left_;
    if (!fails_(candidate)) return false;
    events_ = candidate;
    return true;
  }

  // By halves: the failure of a longer beginning stays one.
  void cut_end() {
    size_t low = 0;
    size_t high = events_.size();
    while (low + 1 < high && left_ != 0) {
      const size_t middle = low + (high - low) / 2;
      const auto behind = events_.begin() + static_cast<std::ptrdiff_t>(middle);
      if (accept(Events(events_.begin(), behind))) {
        high = middle;
      } else {
        low = middle;
      }
    }
  }

  // Groups of objects, smaller and smaller ones.
  void drop_objects() {
    for (size_t group = objects_of(events_).size() / 2; group != 0 && left_ != 0;) {
      bool any = false;
      const std::vector<Object> objects = objects_of(events_);
      for (size_t at = 0; at < objects.size(); at += group) {
        const auto first = objects.begin() + static_cast<std::ptrdiff_t>(at);
        const auto last =
            objects.begin() + static_cast<std::ptrdiff_t>(std::min(at + group, objects.size()));
        if (accept(without(events_, {first, last}))) any = true;
      }
      if (!any || group > objects.size()) group /= 2;
    }
  }

  void drop_events(Kind kind) {
    for (size_t at = events_.size(); at-- > 0;) {
      if (at >= events_.size() || events_[at].kind != kind) continue;
      Events candidate = events_;
      candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(at));
      accept(candidate);
    }
  }

  void halve_sizes() {
    for (size_t at = 0; at < events_.size(); ++at) {
      while (events_[at].bytes > 1) {
        Events candidate = events_;
        candidate[at].bytes /= 2;
        if (!accept(candidate)) break;
      }
    }
  }

  const std::function<bool(const Events&)>& fails_;
  unsigned left_;
  Events events_;
};

}  // namespace

Events renumbered(const Events& events) {
  Events out;
  std::unordered_map<Object, Object> numbers;  // of live objects
  Object next = 1;
  for (Event event : events) {
    if (!names_object(event)) continue;
    if (event.kind == Kind::kAllocate) {
      numbers[event.object] = next;
      event.object = next++;
    } else {
      const auto found = numbers.find(event.object);
      if (found == numbers.end()) continue;
      event.object = found->second;
      if (event.kind == Kind::kFree) numbers.erase(found);
    }
    out.push_back(event);
  }
  return out;
}

Events shrink(Events events, const std::function<bool(const Events&)>& fails, unsigned most) {
  return renumbered(Shrinker(fails, most).run(std::move(events)));
}

std::string as_rep(const Events& events) {
  uint64_t live = 0;
  uint64_t most = 0;
  Object objects = 0;
  std::unordered_map<Object, uint64_t> sizes;
  std::string lines;
  for (const Event& event : events) {
    uint64_t& size = sizes[event.object];
    if (event.kind == Kind::kAllocate) {
      ++objects;
      size = event.bytes;
      live += size;
      lines += fmt::format("a {} {}\n", event.object - 1, event.bytes);
    } else if (event.kind == Kind::kResize) {
      live += event.bytes - size;
      size = event.bytes;
      lines += fmt::format("r {} {}\n", event.object - 1, event.bytes);
    } else if (event.kind == Kind::kFree) {
      live -= size;
      lines += fmt::format("f {}\n", event.object - 1);
    }
    most = std::max(most, live);
  }
  return fmt::format("{}\n{}\n{}\n1\n{}", most, objects, events.size(), lines);
}

}  // namespace mmt::sim

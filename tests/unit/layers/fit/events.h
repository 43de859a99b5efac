// Events are requests that a test puts to a policy. They are made at random by a seed, and made
// fewer when one of them shows a fault. The events that are printed are then short enough to think
// about.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "unit/layers/random_mix.h"

namespace mmt::layers::fit {

// An allocation of `size` bytes, or the end of the id-th one: nothing, if it is not alive.
struct Event {
  bool is_free;
  size_t id;
  size_t size;
};

using Events = std::vector<Event>;

enum class Order { kAny, kOldestFirst, kYoungestFirst };

// Grows for a while, then shrinks, twice; ends with nothing alive.
inline Events random_events(uint64_t seed, size_t number, Order order) {
  Random random(seed * 2 + 1);
  Events events;
  std::vector<size_t> alive;
  size_t next = 0;
  const auto free_one = [&] {
    size_t i = random.below(alive.size());
    if (order == Order::kOldestFirst) i = 0;
    if (order == Order::kYoungestFirst) i = alive.size() - 1;
    events.push_back({true, alive[i], 0});
    alive.erase(alive.begin() + static_cast<ptrdiff_t>(i));
  };
  for (size_t i = 0; i < number; ++i) {
    const size_t frees = i * 4 / number % 2 == 0 ? 35 : 60;
    if (!alive.empty() && random.below(100) < frees) {
      free_one();
      continue;
    }
    const size_t kind = random.below(100);
    const size_t size = kind < 60 ? random.below(150) : random.below(kind < 96 ? 800 : 12000);
    events.push_back({false, next, size});
    alive.push_back(next++);
  }
  while (!alive.empty()) free_one();
  return events;
}

// What went wrong, and at which event.
struct Failure {
  size_t event;
  std::string what;
};
using Trial = std::function<std::optional<Failure>(const Events&)>;

// Drops events as long as something still goes wrong.
inline Events shrink(Events events, const Trial& trial) {
  if (const auto failure = trial(events)) events.resize(failure->event + 1);
  for (size_t step = events.size() / 2; step != 0; step /= 2) {
    for (size_t from = 0; from < events.size();) {
      Events fewer = events;
      const size_t to = std::min(from + step, events.size());
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(from),
                  fewer.begin() + static_cast<ptrdiff_t>(to));
      const auto failure = trial(fewer);
      if (!failure) {
        from += step;
        continue;
      }
      fewer.resize(failure->event + 1);
      events = fewer;
    }
  }
  return events;
}

// Empty: nothing goes wrong. Else what, and the fewest events found that show it.
inline std::string report_of(const Events& events, const Trial& trial) {
  if (!trial(events)) return {};
  const Events few = shrink(events, trial);
  std::string text = trial(few)->what + " after";
  for (const Event& event : few) {
    text += event.is_free
                ? "\n  free   " + std::to_string(event.id)
                : "\n  malloc " + std::to_string(event.id) + " of " + std::to_string(event.size);
  }
  return text;
}

}  // namespace mmt::layers::fit

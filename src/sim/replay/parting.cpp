#include "sim/replay/parting.h"

#include <algorithm>

namespace mmt::sim {

Partings::Partings(std::vector<Replay*> replays) {
  for (size_t i = 0; i < replays.size(); ++i) {
    recorders_.push_back(std::make_unique<Recorder>(replays[i]->model().first()));
    replays[i]->add_observer(recorders_.back().get());
    for (size_t other = 0; other < i; ++other) open_.emplace_back(other, i);
  }
}

void Partings::compare() {
  std::vector<Parting> now;
  std::erase_if(open_, [&](const std::pair<size_t, size_t>& pair) {
    const std::vector<Given>& one = recorders_[pair.first]->given;
    const std::vector<Given>& other = recorders_[pair.second]->given;
    const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end(),
                                      [](const Given& x, const Given& y) { return x.at == y.at; });
    if (a == one.end() || b == other.end()) return false;
    now.push_back({pair.first, pair.second, a->event, a->bytes, a->at, b->at});
    return true;
  });
  std::stable_sort(now.begin(), now.end(),
                   [](const Parting& x, const Parting& y) { return x.event < y.event; });
  found_.insert(found_.end(), now.begin(), now.end());
  for (const auto& one : recorders_) one->given.clear();
}

}  // namespace mmt::sim

#include "sim/check/violation.h"

#include <utility>
#include <vector>

#include "sim/check/checker.h"
#include "sim/replay/object_rows.h"
#include "sim/replay/replay.h"

namespace mmt::sim {

std::optional<Violation> violation_of(Model& model, const Events& events, uint64_t every) {
  Replay replay(model);
  Checker checker(model, every);
  replay.add_observer(&checker);
  replay.add_watcher(&checker);
  ObjectRows rows;
  std::vector<RowEvent> row_events;
  rows.translate(events, row_events);
  try {
    replay.run(row_events);
  } catch (const Broken& broken) {
    return Violation{broken.event(), broken.what()};
  }
  return std::nullopt;
}

Events shrunk_violation(Events events, const std::function<std::unique_ptr<Model>()>& make) {
  return shrink(std::move(events), [&](const Events& candidate) {
    return violation_of(*make(), candidate).has_value();
  });
}

}  // namespace mmt::sim

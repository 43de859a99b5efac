// Makes a trace that fails smaller, as long as it fails: cut off behind the failure, then without
// whole objects, then with small sizes. This is a kind of delta debugging (Zeller, Hildebrandt,
// 2002).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tracefile/event.h"

namespace mmt::sim {

using Events = std::vector<tracefile::Event>;

// `fails(events)`: whether these do, which `events` themselves have to. It is asked at most `most`
// times. What is left are events of which objects are numbered anew, from 1.
Events shrink(Events events, const std::function<bool(const Events&)>& fails, unsigned most = 2000);

// Objects are numbered by birth; events of objects that are not live are left out.
Events renumbered(const Events& events);

// The `.rep` text of malloc labs: suggested heap size, objects, operations, weight, then
// "a id bytes", "r id bytes", "f id".
std::string as_rep(const Events& events);

}  // namespace mmt::sim

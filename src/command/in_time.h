// Looking at what others own: the memory of a process, a file of theirs. Its owner can keep an
// onlooker waiting in the kernel, and for good. A child process looks therefore, and is given up
// when it is late.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace mmt::command {

// Runs in the child, which has no standard streams; what it throws counts as late.
using Look = std::function<std::string(std::size_t item)>;
// nullopt: nothing in time.
using TakeSeen = std::function<void(std::size_t item, std::optional<std::string> seen)>;

// Calls `look` for each item below `count`, in order, and `take` with what it returned. Each may
// take `most`; one that is late halves that for those behind it, but to a tenth of it at least.
void look_in_time(std::size_t count, std::chrono::milliseconds most, const Look& look,
                  const TakeSeen& take);

}  // namespace mmt::command

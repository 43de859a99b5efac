// Children that answer, that do not, and that end.
#include "command/in_time.h"

#include <signal.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::command {
namespace {

using Seen = std::vector<std::optional<std::string>>;

Seen seen_of(std::size_t count, std::chrono::milliseconds most, const Look& look) {
  Seen all;
  look_in_time(count, most, look, [&all](std::size_t item, std::optional<std::string> seen) {
    EXPECT_EQ(item, all.size());
    all.push_back(std::move(seen));
  });
  return all;
}

TEST(LookInTime, HandsBackWhatWasSeen) {
  const std::string large(100'000, '\xff');
  const auto look = [&large](std::size_t item) {
    return item == 1 ? large : std::string(item, '\0');
  };
  const Seen expected{"", large, std::string(2, '\0')};
  EXPECT_EQ(seen_of(3, std::chrono::minutes(1), look), expected);
  EXPECT_TRUE(seen_of(0, std::chrono::minutes(1), look).empty());
}

// What is late costs no other its answer: the time here is that of those that never answer.
TEST(LookInTime, GivesUpWhatIsLate) {
  const pid_t self = getpid();
  const auto look = [self](std::size_t item) -> std::string {
    EXPECT_NE(getpid(), self);
    if (item % 2 == 0) pause();
    return "here";
  };
  const Seen seen = seen_of(5, std::chrono::milliseconds(2000), look);
  const Seen expected{std::nullopt, "here", std::nullopt, "here", std::nullopt};
  EXPECT_EQ(seen, expected);
}

TEST(LookInTime, OutlivesItsChildren) {
  const auto look = [](std::size_t item) -> std::string {
    if (item == 0) throw std::runtime_error("seen by nobody");
    if (item == 1) _exit(0);
    if (item == 2) raise(SIGKILL);
    return "here";
  };
  const Seen expected{std::nullopt, std::nullopt, std::nullopt, "here"};
  EXPECT_EQ(seen_of(4, std::chrono::minutes(1), look), expected);
}

}  // namespace
}  // namespace mmt::command

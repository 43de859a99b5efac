// What is to outlive the process's destructors does.
#include <gtest/gtest.h>

#include <mmt/core/never_destroyed.h>

namespace mmt::core {
namespace {

struct Counted {
  static inline int ended = 0;
  int number = 7;
  constexpr Counted() = default;
  ~Counted() { ++ended; }
};

constinit NeverDestroyed<Counted> global;

TEST(NeverDestroyed, HasAValueFromTheStart) { EXPECT_EQ(global.value.number, 7); }

TEST(NeverDestroyed, IsNotDestroyed) {
  { NeverDestroyed<Counted> local; }
  EXPECT_EQ(Counted::ended, 0);
  { Counted usual; }
  EXPECT_EQ(Counted::ended, 1);
}

}  // namespace
}  // namespace mmt::core

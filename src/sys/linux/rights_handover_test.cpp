// That whoever changes its rights does not pass by a thread that is on its way.
#include <pthread.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <mmt/sys/rights_handover.h>

namespace mmt::sys {
namespace {

// A thread that the kernel is long in starting.
struct Late {
  RightsHandover handover;
  pthread_t thread;

  bool start() { return pthread_create(&thread, nullptr, serve, this) == 0; }
  static void* serve(void* argument) {
    auto* const self = static_cast<Late*>(argument);
    usleep(50'000);
    self->handover.open();
    while (!self->handover.is_asked()) usleep(100);
    self->handover.answer();
    self->handover.close();
    return nullptr;
  }
};

TEST(RightsHandover, WaitsForAThreadThatIsComing) {
  if (is_filtered()) GTEST_SKIP() << "a filter of system calls is there";
  Late late;
  late.handover.expect();
  ASSERT_TRUE(late.start());
  int woken = 0;
  late.handover.hand_over({}, [&] { ++woken; });
  EXPECT_EQ(woken, 1);
  if (woken == 0) late.handover.hand_over({}, [] {});  // it waits to be asked
  pthread_join(late.thread, nullptr);
}

TEST(RightsHandover, AsksNobodyWhereNoneCame) {
  RightsHandover handover;
  int woken = 0;
  handover.hand_over({}, [&] { ++woken; });
  handover.expect();
  handover.close();
  handover.hand_over({}, [&] { ++woken; });
  EXPECT_EQ(woken, 0);
}

}  // namespace
}  // namespace mmt::sys

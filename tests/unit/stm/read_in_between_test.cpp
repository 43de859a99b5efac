// A commit comes between a read's first look at the orec and its load of the value. The load
// faults, and the handler of the fault lets another transaction commit before the load goes on.
#include <signal.h>
#include <sys/mman.h>

#include <cstdlib>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>

#include "unit/stm/designs.h"

// The handler allocates, which it may: the signal is that of a load of ours.
extern "C" const char* __tsan_default_options() { return "report_signal_unsafe=0"; }

namespace mmt::stm {
namespace {

constexpr size_t kPage = 4096;
long* g_page = nullptr;  // y, and x on the page after it, which faults
Thread* g_writer = nullptr;

void commit_in_between(int, siginfo_t*, void*) {
  long* const x = g_page + kPage / sizeof(long);
  if (mprotect(x, kPage, PROT_READ | PROT_WRITE) != 0) std::abort();
  atomically(*g_writer, [&](Tx& tx) {
    tx.write(*x, 1L);
    tx.write(g_page[8], 1L);
  });
}

class ReadInBetween : public testing::TestWithParam<Setting> {};

TEST_P(ReadInBetween, SeesBothOrNone) {
  void* const pages =
      mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  g_page = static_cast<long*>(pages);
  long* const x = g_page + kPage / sizeof(long);
  ASSERT_EQ(mprotect(x, kPage, PROT_NONE), 0);
  Memory memory(GetParam().options);
  Thread reader(memory), writer(memory);
  g_writer = &writer;
  struct sigaction action = {}, before = {};
  action.sa_sigaction = commit_in_between;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ASSERT_EQ(sigaction(SIGSEGV, &action, &before), 0);
  int attempts = 0;
  atomically(reader, [&](Tx& tx) {
    ++attempts;
    const long y = tx.read(g_page[8]);
    EXPECT_EQ(tx.read(*x), y) << "attempt " << attempts;
  });
  EXPECT_EQ(sigaction(SIGSEGV, &before, nullptr), 0);
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(writer.running(), false);
  munmap(pages, 2 * kPage);
}

INSTANTIATE_TEST_SUITE_P(Designs, ReadInBetween, testing::ValuesIn(settings({2, 12})),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::stm

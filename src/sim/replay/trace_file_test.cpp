// Whose trace a file is, by what is in it.
#include "sim/replay/trace_file.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/path_for_test.h"

namespace mmt::sim {
namespace {

uint64_t events_of(const std::string& bytes) {
  const std::string path = path_for_test("txt");
  std::ofstream(path, std::ios::binary) << bytes;
  return open_trace(path)->count().value_or(0);
}

TEST(OpenTrace, KnowsMemoryReplayByItsThreads) {
  EXPECT_EQ(events_of("7: memalign 0xa0 16 64\n"), 2U);  // and the thread
  EXPECT_EQ(events_of("7: malloc 0xa0 64\n"), 2U);
}

TEST(OpenTrace, KnowsRepAlsoCompressed) {
  EXPECT_EQ(events_of("a 0 16\n"), 1U);
  EXPECT_EQ(events_of("20000\n1\n1\n1\na 0 16\n"), 1U);
  const char gzipped[] =
      "\037\213\010\000\000\000\000\000\002\003\113\124\060\120\060\064\343\002\000\155\175\162\372"
      "\007\000\000\000";
  EXPECT_EQ(events_of({gzipped, sizeof gzipped - 1}), 1U);
}

}  // namespace
}  // namespace mmt::sim

// Whose trace a file is, by what is in it.
#include "sim/replay/trace_file.h"

#include <fstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "support/path_for_test.h"
#include "tracefile/import/import.h"

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

// Empty, of no tool, and what only looks like a text of one in its first line.
TEST(OpenTrace, NamesWhatIsReadWhereAFileIsNone) {
  for (const char* const bytes : {"", "hello\n", "1,2\n3,4\n", "#!/bin/sh\necho\n", "\1\2\3"}) {
    SCOPED_TRACE(bytes);
    try {
      events_of(bytes);
      FAIL() << "no error";
    } catch (const std::runtime_error& error) {
      const std::string told = error.what();
      EXPECT_NE(told.find(path_for_test("txt")), std::string::npos) << told;
      for (const std::string& format : tracefile::import_formats()) {
        EXPECT_NE(told.find(format), std::string::npos) << told;
      }
    }
  }
}

// The fault is in a line of it: whose trace it is, is known.
TEST(OpenTrace, NamesTheLineAloneInATraceThatIsOne) {
  try {
    events_of("a 0 16\na 0 16\n");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).find("heaptrack"), std::string::npos) << error.what();
  }
}

TEST(OpenTrace, TellsOfARepThatWasCutShort) {
  EXPECT_THROW(events_of("20000\n1\n2\n1\na 0 16\n"), std::runtime_error);
}

}  // namespace
}  // namespace mmt::sim

// Call sites of heaptrack's traces, raw and stored, and of its formats before and after strings had
// lengths.
#include "tracefile/import/heaptrack_sites.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "support/path_for_test.h"
#include "tracefile/events_for_tests.h"
#include "tracefile/import/import.h"
#include "tracefile/reader.h"

namespace mmt::tracefile {
namespace {

// "100 at f (m.c:3) m; ": each allocation.
std::string imported(const std::string& text) {
  put_bytes(path_for_test("txt"), text);
  import_trace("heaptrack", path_for_test("txt"), path_for_test("mtr"));
  Reader reader(path_for_test("mtr"));
  std::string found;
  for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) {
    for (const Event& one : frame) {
      if (one.kind != Kind::kAllocate) continue;
      found += std::to_string(one.bytes) + " at " + reader.site(one.site) + "; ";
    }
  }
  return found;
}

std::string error_of(const std::string& text) {
  try {
    return imported(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

// f, inlined into main, calls malloc; so does operator new, called by main.
constexpr const char* kStored =
    "v 10400 3\nX ./m\nI 1000 5\ns 6 /tmp/m\ns 9 libc.so.6\ns 4 main\ns 8 /tmp/m.c\ns 2 f \n"
    "s 1b operator new(unsigned long)\n"
    "i 5500 1 5 4 2 3 4 1a\nt 1 0\ni 7f00 2\nt 2 1\ni 7f01 2 6\nt 3 1\n"
    "a 64 1\na 8 2\na 9 3\na a 0\n+ 0\n+ 1\n+ 2\n+ 3\n- 0\n";

TEST(HeaptrackSites, OfStoredFiles) {
  EXPECT_EQ(imported(kStored),
            "100 at f  (m.c:2) m; 8 at libc.so.6 0x7f00; 9 at f  (m.c:2) m; 10 at ; ");
}

TEST(HeaptrackSites, OfFilesWithoutLengths) {
  EXPECT_EQ(imported("v 10100 2\ns /tmp/m\ns f(int, char)\ni 5500 1 2\nt 1 0\na 64 1\n+ 0\n"),
            "100 at f(int, char) m; ");
  EXPECT_EQ(imported("v 10100\nx /tmp/m\nm x 5000 0 100\nt 5010 0\n+ 64 1 1\n"), "100 at m+0x10; ");
}

TEST(HeaptrackSites, OfRawFiles) {
  EXPECT_EQ(imported("v 10400 3\nx 8 /tmp/a m\nm 1 -\nm 1 x 5000 0 100 200 100\n"
                     "m 6 libc.6 9000 0 100\nt 5010 0\nt 9020 1\nt 5250 1\nt 9999 0\n"
                     "+ 64 1 1\n+ 65 2 2\n+ 66 3 3\n+ 67 4 4\n+ 68 1 5\n"
                     "m 1 -\nm 5 lib.2 9000 0 1000\nt 9021 0\n+ 69 5 6\n"),
            "100 at a m+0x10; 101 at libc.6+0x20; 102 at a m+0x250; 103 at 0x9999; "
            "104 at a m+0x10; 105 at lib.2+0x21; ");
}

TEST(HeaptrackSites, TellsWhatIsMissing) {
  const std::string in = "'" + path_for_test("txt") + "', line ";
  EXPECT_EQ(error_of("v 1 3\ns 9 short\n"), in + "2: the text is shorter than its length");
  EXPECT_EQ(error_of("v 1 3\ni 1 1\n"), in + "2: no 's' line has this string");
  EXPECT_EQ(error_of("v 1 3\nt 1 4\n"), in + "2: no 't' line has the calling trace");
  EXPECT_EQ(error_of("v 1 3\ns 1 m\ni 1 1\nt 2 0\na 1 1\n"),
            in + "5: no 'i' line has the instruction of this trace");
}

}  // namespace
}  // namespace mmt::tracefile

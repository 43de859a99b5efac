// Samples of each format, and what is wrong with others.
#include "tracefile/import/import.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/path_for_test.h"
#include "tracefile/events_for_tests.h"
#include "tracefile/formats.h"
#include "tracefile/reader.h"

namespace mmt::tracefile {
namespace {

// "a1:100 r1:200 f1": what an import of this text gives; a number before it is a thread.
std::string imported(const std::string& format, const std::string& text) {
  const std::string from = path_for_test("txt");
  const std::string to = path_for_test("mtr");
  put_bytes(from, text);
  import_trace(format, from, to);
  Reader reader(to);
  std::string found;
  for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) {
    for (const Event& one : frame) {
      if (one.thread != 0) found += std::to_string(one.thread);
      found += std::string("afrse!").at(static_cast<size_t>(one.kind));
      if (one.object != 0) found += std::to_string(one.object);
      if (one.kind == Kind::kAllocate || one.kind == Kind::kResize) {
        found += ":" + std::to_string(one.bytes);
      }
      if (one.alignment != 0) found += "@" + std::to_string(one.alignment);
      if (one.zeroed) found += "z";
      found += " ";
    }
  }
  return found;
}

void expect_error(const std::string& format, const std::string& text, const std::string& line,
                  const std::string& what) {
  try {
    imported(format, text);
    FAIL() << "no error in " << text;
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(path_for_test("txt") + "', line " + line + ":"), std::string::npos)
        << message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
  }
}

TEST(ImportMtrace, OfAllCalls) {
  EXPECT_EQ(imported("mtrace",
                     "= Start\n"
                     "@ ./a.out:[0x401136] + 0x1b5e2a0 0x64\n"
                     "@ ./a b + 0x1:(main+0x1e)[0x401144] + 0x1b5e310 0x10\n"
                     "@ ./a.out:[0x401150] < 0x1b5e2a0\n"
                     "@ ./a.out:[0x401150] > 0x1b5e400 0x200\n"
                     "@ ./a.out:[0x401150] < 0x1b5e400\n"
                     "@ ./a.out:[0x401150] ! 0xffffffff\n"
                     "+ 0x1b5e2a0 0x8\n"
                     "@ ./a.out:[0x401158] - 0x1b5e400\n"
                     "@ ./a.out:[0x401158] - 0x77777770\n"
                     "= End\n"),
            "a1:100 a2:16 r1:512 a3:8 f1 ");
}

TEST(ImportMtrace, LeavesOutCallsThatFailed) {
  EXPECT_EQ(imported("mtrace",
                     "@ ./a.out:[0x401136] + (nil) 0x4000\n"
                     "+ 0x10 0x64\n"
                     "@ ./a.out:[0x401150] ! 0x10 0x40000000\n"
                     "@ ./a.out:[0x401150] ! (nil) 0x40000000\n"
                     "< 0x10\n"
                     "@ ./a.out:[0x401150] > (nil) 0x40000000\n"
                     "@ ./a.out:[0x401150] < (nil)\n"
                     "> 0x20 0x8\n"
                     "- (nil)\n"
                     "- 0x10\n"),
            "a1:100 a2:8 f1 ");
}

TEST(ImportMtrace, KeepsPlaces) {
  imported("mtrace", "@ ./a.out:(main+0x1e)[0x401144] + 0x1b5e310 0x10\n");
  Reader reader(path_for_test("mtr"));
  EXPECT_EQ(reader.next()[0].site, 1u);
  EXPECT_EQ(reader.site(1), "./a.out:(main+0x1e)[0x401144]");
}

TEST(ImportMtrace, NamesWhatIsWrong) {
  expect_error("mtrace", "= Start\nhello\n", "2", "no line of mtrace: 'hello'");
  expect_error("mtrace", "@ a + 0x10\n", "1", "the size is missing");
  expect_error("mtrace", "@ a + 0x10 0xZZ\n", "1", "'0xZZ' is no size");
  expect_error("mtrace", "@ a > 0x10 0x10\n", "1", "without a '<'");
}

TEST(ImportRep, OfAllCalls) {
  EXPECT_EQ(
      imported("rep", "20000\n3\n7\n1\na 0 512\na 1 128\nr 0 640\nf 1\na 1 7\nf 0\nf 1\nf -1\n"),
      "a1:512 a2:128 r1:640 f2 a3:7 f1 f3 ");
  EXPECT_EQ(imported("rep", "a 5 1\r\nr 6 2\r\n"), "a1:1 a2:2 ");
}

TEST(ImportRep, NamesWhatIsWrong) {
  expect_error("rep", "a 0 1\nf 1\n", "2", "id 1 is not allocated");
  expect_error("rep", "a 0 1\na 0 1\n", "2", "id 0 is allocated already");
  expect_error("rep", "1\n2\n3\n4\nx 1\n", "5", "'x' is none of a, r, f");
  expect_error("rep", "a 1\n", "1", "the size is missing");
  expect_error("rep", "9\n1\n3\n1\na 0 1\nf 0\n", "6", "it ends after 2 of 3 operations");
  expect_error("rep", "9\n1\n3\n1\n", "4", "it ends after 0 of 3 operations");
  expect_error("rep", "9\n1\n3\n", "3", "it ends within its first four numbers");
}

TEST(ImportMemoryReplay, OfAllCallsAndThreads) {
  EXPECT_EQ(imported("memory_replay",
                     "99: malloc 0xa0 64\n"
                     "100: calloc 0xb0 4 8 1000 2000\n"
                     "99: memalign 0xc0 32 100\n"
                     "100: realloc 0xd0 0xa0 128\n"
                     "99: realloc 0xe0 0x0 5\n"
                     "99: realloc 0x0 0xe0 0\n"
                     "99: free 0xd0\n"
                     "99: free 0x0\n"
                     "100: thread_done 0x0\n"),
            "s a1:64 1s 1a2:32z a3:100@5 1r1:128 a4:5 f4 f1 1e ");
}

TEST(ImportMemoryReplay, NamesWhatIsWrong) {
  expect_error("memory_replay", "malloc 0xa0 64\n", "1", "'tid:'");
  expect_error("memory_replay", "1: malloc 0xa0 64\n1: frob 0x1\n", "2", "unknown call 'frob'");
  expect_error("memory_replay", "1: memalign 0xa0 48 64\n", "1", "48 is no power of two");
}

constexpr const char* kRaw =
    "v 10300 3\nX ./a.out\nI 1000 5\nt 401136 0\n+ 64 1 5e2a0\nc 1\n+ 10 1 5e310\n- 5e2a0\nR 5\n- "
    "5e310\n- 99\n";

TEST(ImportHeaptrack, OfRawFiles) { EXPECT_EQ(imported("heaptrack", kRaw), "a1:100 a2:16 f1 f2 "); }

TEST(ImportHeaptrack, OfStoredFiles) {
  EXPECT_EQ(
      imported("heaptrack", "v 10300 3\ns 5 ./a.o\na 64 1\na 8 2\n+ 0\n+ 1\n+ 0\n- 0\n- 1\n- 0\n"),
      "a1:100 a2:8 a3:100 f3 f2 f1 ");
}

TEST(ImportHeaptrack, OfCompressedFiles) {
  const std::string plain = path_for_test("plain");
  const std::string to = path_for_test("mtr");
  put_bytes(plain, kRaw);
  for (const std::string tool : {"gzip", "zstd"}) {
    const std::string packed = path_for_test(tool);
    ASSERT_EQ(std::system((tool + " -c '" + plain + "' > '" + packed + "'").c_str()), 0) << tool;
    EXPECT_EQ(import_trace("heaptrack", packed, to).events, 4u) << tool;
    // Cut off.
    put_bytes(packed, bytes_of(packed).substr(0, 40));
    EXPECT_THROW(import_trace("heaptrack", packed, to), std::runtime_error) << tool;
  }
}

TEST(ImportHeaptrack, NamesWhatIsWrong) {
  expect_error("heaptrack", "hello\n", "1", "'v'");
  expect_error("heaptrack", "v 1 3\n+ zz 1 1\n", "2", "'zz' is no size");
  expect_error("heaptrack", "v 1 3\na 10 1\n+ 1\n", "3", "no 'a' line");
}

TEST(Import, KeepsWhatStandsBeforeTheFault) {
  EXPECT_THROW(imported("rep", "a 0 1\na 1 1\nbad\n"), std::runtime_error);
  Reader reader(path_for_test("mtr"));
  EXPECT_EQ(reader.next().size(), 2u);
}

TEST(Import, NamesAFileThatIsNotThere) {
  try {
    import_trace("rep", "/nowhere.rep", path_for_test("mtr"));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot read '/nowhere.rep': No such file or directory");
  }
}

std::string error_of(const std::string& format, const std::string& text) {
  try {
    imported(format, text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Import, NamesFormatsWhereAFileIsOfAnother) {
  const std::string binary("\x7f\0\1ELF\0\n\0", 9);
  const std::string no_end(100, '\0');
  const std::string too_long(size_t{3} << 20, 'x');
  for (const std::string& format : import_formats()) {
    EXPECT_NE(error_of(format, "").find("it is empty: " + what_is_read()), std::string::npos);
    for (const std::string& text : {std::string("hello, world\n"), binary, no_end, too_long}) {
      const std::string told = error_of(format, text);
      EXPECT_TRUE(told.ends_with("; it was read as " + format + ". " + what_is_read())) << told;
      EXPECT_LT(told.size(), 500u) << told;
    }
  }
  // Behind a whole line that is right.
  EXPECT_EQ(error_of("rep", "a 0 1\nhello\n").find("read as"), std::string::npos);
}

// A cut is told, but for one behind a whole line, which is as if the program had ended there.
TEST(Import, TellsOfEachCutWithinALine) {
  for (const auto& [format, text] : std::vector<std::pair<std::string, std::string>>{
           {"rep", "a 0 5555\nr 0 640\na 18 77\nf 18\nf 0\n"},
           {"mtrace",
            "= Start\n@ ./a:[0x40] + 0x1b5e2a0 0x64\n@ ./a:[0x4] < 0x1b5e2a0\n"
            "@ ./a:[0x4] > 0x1b5e400 0x200\n@ ./a:[0x5] - 0x1b5e400\n= End\n"},
           {"memory_replay", "99: malloc 0xa0 64\n100: calloc 0xb0 44 88\n99: free 0xa0\n"},
           {"heaptrack", "v 10300 3\ns 5 ./a.o\na 64 1\n+ 0\n- 0\n# strings: 1\n"},
           {"heaptrack", kRaw}}) {
    EXPECT_EQ(error_of(format, text), "");
    for (size_t cut = 1; cut < text.size(); ++cut) {
      const std::string told = error_of(format, text.substr(0, cut));
      const bool is_whole = text[cut - 1] == '\n';
      EXPECT_EQ(told.find("the file was cut short") == std::string::npos, is_whole)
          << format << " cut at " << cut << ": " << told;
      if (is_whole) {
        EXPECT_EQ(told, "") << format << " cut at " << cut;
      }
    }
  }
}

// A file of malloc labs that counts its operations tells of each.
TEST(ImportRep, TellsOfEachCutWhereOperationsAreCounted) {
  const std::string text = "20000\n2\n3\n1\na 0 5555\na 1 77\nf 0\n";
  for (size_t cut = 1; cut < text.size(); ++cut) {
    EXPECT_NE(error_of("rep", text.substr(0, cut)).find("the file was cut short"),
              std::string::npos)
        << cut;
  }
}

TEST(Import, CountsBlocksThatAreGivenOutAnew) {
  const std::string from = path_for_test("txt");
  for (const auto& [format, text] : std::vector<std::pair<std::string, std::string>>{
           {"memory_replay", "1: malloc 0xa0 1\n1: malloc 0xa0 2\n1: realloc 0xa0 0x0 3\n"},
           {"mtrace", "+ 0x10 0x1\n+ 0x10 0x2\n+ 0x10 0x3\n"},
           {"heaptrack", "v 10300 3\n+ 1 1 10\n+ 2 1 10\n+ 3 1 10\n"}}) {
    put_bytes(from, text);
    EXPECT_EQ(import_trace(format, from, path_for_test("mtr")).unfreed, 2u) << format;
  }
}

TEST(Import, TellsOfFreesThatItCannotPlace) {
  put_bytes(path_for_test("txt"), "- 0x10\n");
  EXPECT_EQ(import_trace("mtrace", path_for_test("txt"), path_for_test("mtr")).unknown, 1u);
}

}  // namespace
}  // namespace mmt::tracefile

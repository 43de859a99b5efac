// Reports are found in text and JSON, among other lines, in pieces, and damaged.
#include "cli/explain/report_reader.h"

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/explain/input_lines.h"
#include "cli/explain/report_json.h"

namespace mmt::cli {

namespace {

constexpr const char* kText =
    "mmt: double-free: block 0x7f5a00000040 of 24 bytes: freed already\n"
    "mmt:   found by 0x55d0c0de1267 (/home/a b (c)/m+0x1/prog+0x1267)\n"
    "mmt:   allocated by 0x55d0c0de1201 (/usr/bin/prog+0x1201)\n"
    "mmt:   freed by 0x7f00\n";
constexpr const char* kJson =
    R"({"schema":1,"kind":"type-mismatch","pid":7,"thread":8,"block":"0x7f00","bytes":24,)"
    R"("at":"0x7f08","text":"freed by another family of names:","allocated_as":"new[]",)"
    R"("freed_as":"delete","found":{"address":"0x55d0","module":"/m","offset":"0x10"}})"
    "\n";

// All that was found, in order, as text.
class Seen : public ReportSink {
 public:
  void begins(const HeapReport& report) override {
    told += std::string("<") + report.kind_name() + ">";
  }
  void has(HeapReport& report, Role role, std::size_t frame) override {
    told += "<" + (frame == 0 ? line_of(report, role) : outer_line_of(report, role, frame)) + ">";
  }
  void has_times(const HeapReport& report) override { told += "<" + times_of(report) + ">"; }
  void ends(HeapReport report) override { reports.push_back(std::move(report)); }
  void other(std::string_view bytes) override { told += bytes; }
  void wrong(const std::string& what) override { faults.push_back(what); }

  std::string told;
  std::vector<HeapReport> reports;
  std::vector<std::string> faults;
};

Seen seen_in(const std::string& text) {
  Seen seen;
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  if (::fork() == 0) {
    ::close(ends[0]);
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t done = ::write(ends[1], text.data() + at, text.size() - at);
      if (done <= 0) break;
      at += static_cast<std::size_t>(done);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  ReportReader reader("x.txt", seen);
  for_each_line(
      ends[0], "x.txt", [&reader](const InputLine& line) { reader.take(line); }, [] {});
  reader.end();
  ::close(ends[0]);
  return seen;
}

TEST(ReportReader, TakesText) {
  const Seen seen = seen_in(kText);
  ASSERT_EQ(seen.reports.size(), 1u);
  const HeapReport& report = seen.reports.front();
  EXPECT_STREQ(report.kind_name(), "double-free");
  EXPECT_EQ(report.block, 0x7f5a00000040u);
  EXPECT_EQ(report.bytes, 24u);
  EXPECT_EQ(report.text, "freed already");
  EXPECT_EQ(message_of(report), "block 0x7f5a00000040 of 24 bytes: freed already");
  const auto& found = report.place(Role::kFound);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, 0x55d0c0de1267u);
  EXPECT_EQ(found->module, "/home/a b (c)/m+0x1/prog");
  EXPECT_EQ(found->offset, 0x1267u);
  ASSERT_TRUE(report.place(Role::kFreed));
  EXPECT_EQ(report.place(Role::kFreed)->module, "");
  EXPECT_EQ(line_of(report, Role::kFreed, 14), "freed by       0x7f00");
}

TEST(ReportReader, TakesStacksAndTimes) {
  const std::string times = "allocated 1250 ms ago at most, freed 31 ms ago at most";
  const Seen seen = seen_in(
      "mmt: write-after-free: block 0x7f00 of 24 bytes: it was written since it was freed\n"
      "mmt:   found by 0x10 (/m+0x1)\nmmt:     at 0x11 (/m+0x2)\n"
      "mmt:   allocated by 0x12\nmmt:     at 0x13\nmmt:     at 0x14\n"
      "mmt:   " +
      times + "\nmmt:     at 0x15\n");
  ASSERT_EQ(seen.reports.size(), 1u);
  const HeapReport& report = seen.reports.front();
  ASSERT_EQ(report.stack(Role::kFound).size(), 2u);
  EXPECT_EQ(report.stack(Role::kFound)[1].offset, 2u);
  EXPECT_EQ(report.stack(Role::kAllocated).size(), 3u);
  EXPECT_EQ(report.allocated_ms_ago, 1250u);
  EXPECT_EQ(report.freed_ms_ago, 31u);
  EXPECT_FALSE(report.late_ms);
  EXPECT_TRUE(seen.told.ends_with("<at 0x14><" + times + ">mmt:     at 0x15\n")) << seen.told;
  // The same by JSON.
  const Seen again =
      seen_in(R"({"schema":1,"kind":"overflow","text":"x","late_ms":31,"found":{"address":"0x10"},)"
              R"("found_stack":[{"address":"0x10"},{"address":"0x11"}]})"
              "\n");
  ASSERT_EQ(again.reports.size(), 1u);
  EXPECT_EQ(again.reports.front().stack(Role::kFound).size(), 2u);
  EXPECT_TRUE(again.told.ends_with("<at 0x11><found 31 ms late at most>")) << again.told;
}

TEST(ReportReader, TakesBothFormsOfFirstLines) {
  for (const std::string line :
       {"invalid-free: address 0x10: not a block of the heap", "overflow: block 0x10: it was",
        "size-mismatch: block 0x10 of 8 bytes: freed with another size: 24",
        "double-free: freed already", "underflow: block 0xzz: what", "overflow: block 0x1 of: a"}) {
    const Seen seen = seen_in("mmt: " + line + "\n");
    ASSERT_EQ(seen.reports.size(), 1u) << line;
    const HeapReport& report = seen.reports.front();
    EXPECT_EQ(std::string(report.kind_name()) + ": " + message_of(report), line);
  }
}

TEST(ReportReader, PassesOtherLinesOn) {
  const std::string others[] = {
      "before\x1b[0m\r\n",
      "{\"schema\":1}\n",
      "\n",
      "mmt: cannot read 'x'\nmmt:   found by 0x10\n",
      "mmt: triple-free: block 0x10: what\n",
      "x mmt: overflow: what\n",
      "mmt: overflow\n",
      "mmt: ",
  };
  for (const std::string& other : others) EXPECT_EQ(seen_in("x\n" + other).told, "x\n" + other);
  const std::string around = std::string("a\n") + kText + "mmt:   freed by 0x20\nend";
  const Seen seen = seen_in(around);
  EXPECT_TRUE(seen.told.starts_with("a\n<double-free><found by ")) << seen.told;
  EXPECT_TRUE(seen.told.ends_with("<freed by 0x7f00>mmt:   freed by 0x20\nend")) << seen.told;
}

TEST(ReportReader, FindsAReportBehindAnUnfinishedLine) {
  const Seen seen = seen_in(std::string("50% mmt: ... ") + kText);
  EXPECT_TRUE(seen.told.starts_with("50% mmt: ... <double-free><found by ")) << seen.told;
  EXPECT_EQ(seen.reports.size(), 1u);
}

TEST(ReportReader, TakesPlacesThatAreNone) {
  const std::string first = "mmt: overflow: block 0x10 of 8 bytes: it was written beyond its end\n";
  const Seen look = seen_in(first + "mmt:   found by a look at the heap\n");
  ASSERT_EQ(look.reports.size(), 1u);
  EXPECT_TRUE(look.reports.front().is_found_by_look);
  EXPECT_TRUE(look.told.ends_with("<found by a look at the heap>"));
  for (const std::string place : {"", "0x", "x", "0x10 (/m+0x)", "0x10 (/m)", "0x10 (/m+0x1",
                                  "0x10 +0x1)", "0x10(/m+0x1)", "0x11111111111111111", "0x10 "}) {
    const Seen damaged = seen_in(first + "mmt:   found by " + place + "\n");
    EXPECT_EQ(damaged.told, "<overflow>mmt:   found by " + place + "\n");
    EXPECT_EQ(damaged.reports.size(), 1u);
  }
}

TEST(ReportReader, PassesOnWhatIsLong) {
  const std::string text =
      std::string(3 * kLongestLine + 5, 'a') + "\nmmt: " + std::string(kLongestLine, 'b') + "\n";
  EXPECT_EQ(seen_in(text).told, text);
  const std::string most = std::string(kLongestLine - 1, 'a') + "\n";
  EXPECT_EQ(seen_in(most + most).told, most + most);
}

TEST(ReportReader, TakesJson) {
  const Seen seen = seen_in(std::string("\n") + kJson + "\n" + kJson);
  EXPECT_EQ(seen.faults, std::vector<std::string>());
  ASSERT_EQ(seen.reports.size(), 2u);
  const HeapReport& report = seen.reports.front();
  EXPECT_EQ(message_of(report),
            "block 0x7f00 of 24 bytes: freed by another family of names: "
            "allocated by new[], freed by delete");
  EXPECT_EQ(report.place(Role::kFound)->module, "/m");
  EXPECT_FALSE(report.place(Role::kFreed));
  // Printed it is the same again, but for the schema, which a document has once.
  auto same = nlohmann::ordered_json::parse(kJson);
  same.erase("schema");
  EXPECT_EQ(json_of(report), same);
}

TEST(ReportReader, TakesJsonAmongOtherLines) {
  const Seen seen = seen_in(std::string("{\"level\":1}\n") + kJson + "{\"schema\":2}\n");
  EXPECT_EQ(seen.told, "{\"level\":1}\n<type-mismatch><found by 0x55d0 (/m+0x10)>{\"schema\":2}\n");
  EXPECT_EQ(seen.faults, std::vector<std::string>());
}

TEST(ReportReader, NamesWrongLinesOfJson) {
  const std::pair<std::string, std::string> lines[] = {
      {"{\"schema\":1,\"kind\":", "it is no JSON"},
      {"nonsense", "it is no JSON"},
      {"\"\xff\"", "it is no JSON"},
      {"[]", "it is no report of the heap"},
      {"{\"kind\":\"overflow\"}", "it is no report of the heap"},
      {"{\"schema\":2}", "it is of another schema than 1"},
      {"{\"schema\":\"1\"}", "it is of another schema than 1"},
      {"{\"schema\":1,\"kind\":\"what\"}", "there is no kind 'what'"},
      {"{\"schema\":1,\"kind\":5}", "'kind' is no text"},
      {"{\"schema\":1,\"schema\":1}", "an object has the key 'schema' twice"},
      {R"({"schema":1,"kind":"overflow","bytes":-1})", "'bytes' is no number"},
      {R"({"schema":1,"kind":"overflow","bytes":1e999})", "a number is too large"},
      {R"({"schema":1,"kind":"overflow","block":"10"})", "'block' is no address"},
      {R"({"schema":1,"kind":"overflow","block":"0x10 "})", "'block' is no address"},
      {R"({"schema":1,"kind":"overflow","found":5})", "'found' is no place"},
      {R"({"schema":1,"kind":"overflow","found":{}})", "'found' has no address"},
      {"{\"schema\":1,\"x\":" + std::string(100, '['),
       "lists and objects lie too deep in each other"},
      {"{\"schema\":1,\"x\":\"" + std::string(2 * kLongestLine, 'x') + "\"}", "it is too long"},
  };
  for (const auto& [line, fault] : lines) {
    const Seen seen = seen_in(kJson + line + "\n" + kJson);
    EXPECT_EQ(seen.faults, std::vector<std::string>{"'x.txt', line 2: " + fault}) << line;
    EXPECT_EQ(seen.reports.size(), 2u) << line;
  }
}

TEST(ReportReader, KnowsWhereAPlaceIsAnInstruction) {
  const Seen seen =
      seen_in("mmt: underflow: block 0x10: it is being written before its beginning\n" +
              std::string(kText));
  ASSERT_EQ(seen.reports.size(), 2u);
  EXPECT_FALSE(seen.reports[0].is_call(Role::kFound, 0));
  EXPECT_TRUE(seen.reports[0].is_call(Role::kAllocated, 0));
  EXPECT_TRUE(seen.reports[1].is_call(Role::kFound, 0));
}

}  // namespace
}  // namespace mmt::cli

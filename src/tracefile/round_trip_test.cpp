// What a writer wrote, a reader reads; from the start, or from any event on.
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/path_for_test.h"
#include "tracefile/events_for_tests.h"
#include "tracefile/reader.h"
#include "tracefile/writer.h"

namespace mmt::tracefile {
namespace {

std::vector<Event> rest_of(Reader& reader) {
  std::vector<Event> all;
  for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) {
    all.insert(all.end(), frame.begin(), frame.end());
  }
  return all;
}

uint64_t births_in(const std::vector<Event>& events) {
  uint64_t births = 0;
  for (const Event& one : events) births += one.kind == Kind::kAllocate ? 1 : 0;
  return births;
}

void expect_same(const std::vector<Event>& found, const std::vector<Event>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) ASSERT_TRUE(is_same(found[i], wanted[i])) << i;
}

TEST(RoundTrip, OfNoEvents) {
  const std::string path = path_for_test("mtr");
  write_trace(path, {});
  Reader reader(path);
  EXPECT_EQ(reader.events(), 0u);
  EXPECT_EQ(reader.objects(), 0u);
  EXPECT_TRUE(reader.next().empty());
  EXPECT_TRUE(reader.next().empty());
}

TEST(RoundTrip, OfTheHeader) {
  const std::string path = path_for_test("mtr");
  write_trace(path, {});
  const Reader reader(path);
  EXPECT_EQ(reader.header().program, "a program");
  EXPECT_EQ(reader.header().source, "a test");
  EXPECT_EQ(reader.header().start_ns, 17u);
  EXPECT_EQ(reader.header().process, 42u);
}

TEST(RoundTrip, OfMoreWritersThanDescriptors) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::vector<Event> events = some_events(1000, 7);
  const std::string path = path_for_test("mtr");
  std::vector<Writer> writers;
  for (int i = 0; i < 40; ++i) {
    writers.emplace_back(path + std::to_string(i), Header{"a program", "a test", 17, 42});
  }
  for (const Event& one : events) {
    for (Writer& writer : writers) writer.add(one);
  }
  for (Writer& writer : writers) writer.finish();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  for (int i = 0; i < 40; ++i) {
    Reader reader(path + std::to_string(i));
    expect_same(rest_of(reader), events);
  }
}

// A pipe cannot be opened again, nor need it have a name.
TEST(RoundTrip, ThroughADescriptorWithoutAName) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe(ends.data()), 0);
  const std::vector<Event> events = some_events(1000, 7);
  write_trace("/dev/fd/" + std::to_string(ends[1]), events);
  ::close(ends[1]);
  std::string bytes(1 << 16, '\0');
  const ssize_t size = ::read(ends[0], bytes.data(), bytes.size());
  ::close(ends[0]);
  ASSERT_GT(size, 0);
  const std::string path = path_for_test("mtr");
  put_bytes(path, bytes.substr(0, static_cast<size_t>(size)));
  Reader reader(path);
  expect_same(rest_of(reader), events);
}

TEST(RoundTrip, OfManyFrames) {
  const std::string path = path_for_test("mtr");
  const std::vector<Event> events = some_events(200'000, 5);
  write_trace(path, events);
  Reader reader(path);
  EXPECT_EQ(reader.events(), events.size());
  EXPECT_EQ(reader.objects(), births_in(events));
  EXPECT_EQ(reader.next().size(), 65536u);
  EXPECT_EQ(reader.start_ns(), 10u);
  EXPECT_EQ(reader.end_ns(), 655360u);
  reader.seek(0);
  expect_same(rest_of(reader), events);
}

TEST(RoundTrip, OfWhateverHappens) {
  EXPECT_TRUE(rc::check([] {
    const auto events =
        some_events(*rc::gen::inRange<size_t>(0, 3000), *rc::gen::arbitrary<uint64_t>());
    const std::string path = path_for_test("mtr");
    write_trace(path, events);
    Reader reader(path);
    const auto found = rest_of(reader);
    RC_ASSERT(found.size() == events.size());
    for (size_t i = 0; i < events.size(); ++i) RC_ASSERT(is_same(found[i], events[i]));
  }));
}

TEST(RoundTrip, FromAnyEventOn) {
  const std::string path = path_for_test("mtr");
  const std::vector<Event> events = some_events(150'000, 6);
  write_trace(path, events);
  Reader reader(path);
  for (const uint64_t from : {70'000u, 140'000u, 65'536u, 65'535u, 0u, 149'999u}) {
    reader.seek(from);
    const uint64_t first = from / 65'536 * 65'536;
    const std::span<const Event> frame = reader.next();
    ASSERT_TRUE(is_same(frame[from - first], events[from])) << from;
  }
  reader.seek(150'000);
  EXPECT_TRUE(reader.next().empty());
  reader.seek(131'072);
  EXPECT_EQ(rest_of(reader).size(), 150'000u - 131'072u);
}

TEST(RoundTrip, OfCallSites) {
  const std::string path = path_for_test("mtr");
  const std::vector<Event> events = some_events(70'000, 7, 3);
  {
    Writer writer(path, {});
    EXPECT_EQ(writer.add_site("one+0x1"), 1u);
    EXPECT_EQ(writer.add_site("two\n"), 2u);
    for (size_t i = 0; i < events.size(); ++i) {
      if (i == 66'000) {
        EXPECT_EQ(writer.add_site("three"), 3u);
      }
      writer.add(events[i]);
    }
    writer.finish();
  }
  Reader reader(path);
  EXPECT_EQ(reader.site(3), "three");  // before its frame was reached
  EXPECT_EQ(reader.site(0), "");
  EXPECT_EQ(reader.site(4), "");
  expect_same(rest_of(reader), events);
  EXPECT_EQ(reader.site(2), "two\n");
}

TEST(RoundTrip, TakesLittleSpace) {
  const std::string path = path_for_test("mtr");
  std::vector<Event> events;
  for (Object object = 1; object <= 50'000; ++object) {
    events.push_back({.kind = Kind::kAllocate, .object = object, .bytes = 16 + object % 7 * 16});
    events.push_back({.kind = Kind::kFree, .object = object});
  }
  write_trace(path, events);
  EXPECT_LT(bytes_of(path).size(), events.size() / 10);
}

TEST(Writer, NamesTheFileThatItCannotWrite) {
  try {
    const Writer writer("/nowhere/at/all.mtr", {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot write '/nowhere/at/all.mtr': No such file or directory");
  }
}

}  // namespace
}  // namespace mmt::tracefile

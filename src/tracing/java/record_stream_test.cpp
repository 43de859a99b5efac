// What the records of the agent become, and what is refused of them.
#include "tracing/java/record_stream.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::tracing {
namespace {

using java::Record;
using java::RecordKind;

std::vector<char> batch(const std::vector<Record>& records, uint32_t process = 7) {
  const java::BatchHead head{java::kMagic, process, records.size()};
  std::vector<char> bytes(sizeof head + records.size() * sizeof(Record));
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, records.data(), records.size() * sizeof(Record));
  return bytes;
}

class Java : public testing::Test {
 protected:
  void add(const std::vector<char>& bytes) { stream.add(bytes.data(), bytes.size()); }

  std::vector<tracefile::Event> events;
  RecordStream stream{[this](const tracefile::Event& one) { events.push_back(one); }};
};

TEST_F(Java, RecordsBecomeEvents) {
  add(batch({{RecordKind::kThreadStart, 0, 0, 0},
             {RecordKind::kAllocate, 0, 1, 24},
             {RecordKind::kFree, 1, 1, 0},
             {RecordKind::kCollection, 1, 3, 0},
             {RecordKind::kEnd, 0, 0, 0}}));
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[1].kind, tracefile::Kind::kAllocate);
  EXPECT_EQ(events[1].bytes, 24u);
  EXPECT_EQ(events[2].kind, tracefile::Kind::kFree);
  EXPECT_EQ(events[2].object, 1u);
  EXPECT_EQ(events[3].kind, tracefile::Kind::kPhase);
  EXPECT_EQ(events[3].bytes, 3u);
  EXPECT_TRUE(stream.is_whole());
  EXPECT_EQ(stream.fault(), "");
}

TEST_F(Java, ComesInAnyPieces) {
  const std::vector<char> bytes = batch({{RecordKind::kAllocate, 0, 1, 16}});
  for (const char& one : bytes) stream.add(&one, 1);
  EXPECT_EQ(events.size(), 1u);
  EXPECT_FALSE(stream.is_whole());
}

TEST_F(Java, AnotherMachineIsLeftOut) {
  add(batch({{RecordKind::kAllocate, 0, 1, 16}}));
  add(batch({{RecordKind::kAllocate, 0, 1, 16}, {RecordKind::kFree, 0, 1, 0}}, 8));
  EXPECT_EQ(events.size(), 1u);
  EXPECT_EQ(stream.foreign(), 2u);
}

TEST_F(Java, WhatIsNoRecordIsAFault) {
  add(batch({{RecordKind::kAllocate, 0, 2, 16}}));
  EXPECT_EQ(stream.fault(), "object 2 came where object 1 was to come");
  EXPECT_TRUE(events.empty());
}

TEST_F(Java, AFreeOfNoObjectAndAThreadOfNoNumberAreFaults) {
  for (const Record& one : {Record{RecordKind::kFree, 0, 0, 0}, Record{RecordKind::kFree, 0, 2, 0},
                            Record{RecordKind::kFree, 0, ~uint64_t{0}, 0},
                            Record{RecordKind::kThreadStart, ~uint32_t{0}, 0, 0}}) {
    RecordStream other([](const tracefile::Event&) {});
    const std::vector<char> bytes = batch({{RecordKind::kAllocate, 0, 1, 16}, one});
    other.add(bytes.data(), bytes.size());
    EXPECT_NE(other.fault(), "");
  }
}

TEST_F(Java, WhatIsNoBatchIsAFault) {
  add(std::vector<char>(64, 'x'));
  EXPECT_NE(stream.fault(), "");
}

}  // namespace
}  // namespace mmt::tracing

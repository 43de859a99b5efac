// Records become events: what calls mean for addresses, and what they leave out.
#include "tracing/process_trace.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "support/path_for_test.h"
#include "tracefile/reader.h"

namespace mmt::tracing {
namespace {

using trace::RecordKind;
using trace::Seen;
using tracefile::Event;
using tracefile::Kind;

class Applying : public testing::Test {
 protected:
  const std::string path_ = path_for_test("mtr");
  ProcessTrace process_{1, 4711};
  ThreadState one_;
  ThreadState other_;

  void apply(ThreadState& thread, RecordKind kind, std::uint64_t address, std::uint64_t bytes = 0) {
    if (!process_.has_file()) process_.open(path_, {});
    process_.apply(thread,
                   Seen{static_cast<std::uint64_t>(kind) << trace::kKindShift | address, bytes}, 0);
  }

  // "a1:10 r1:20 f1", without the starts of threads.
  std::string events() {
    process_.finish();
    tracefile::Reader reader(path_);
    std::string found;
    for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) {
      for (const Event& event : frame) {
        if (event.kind == Kind::kThreadStart) continue;
        found += std::string("afrsep").at(static_cast<std::size_t>(event.kind));
        if (event.object != 0) found += std::to_string(event.object);
        const bool has_bytes = event.kind == Kind::kAllocate || event.kind == Kind::kResize;
        if (has_bytes) found += ":" + std::to_string(event.bytes);
        found += " ";
      }
    }
    return found;
  }
};

TEST_F(Applying, NumbersObjects) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);
  apply(other_, RecordKind::kAllocate, 0x200, 20);
  apply(other_, RecordKind::kFree, 0x100);
  apply(one_, RecordKind::kAllocate, 0x100, 30);
  EXPECT_EQ(events(), "a1:10 a2:20 f1 a3:30 ");
  EXPECT_EQ(process_.threads(), 2u);
}

TEST_F(Applying, LetsOthersHaveTheAddressThatReallocLeaves) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);
  apply(one_, RecordKind::kResizeBegin, 0x100);
  apply(other_, RecordKind::kAllocate, 0x100, 20);
  apply(one_, RecordKind::kResizeEnd, 0x300, 30);
  apply(one_, RecordKind::kFree, 0x300);
  EXPECT_EQ(events(), "a1:10 a2:20 r1:30 f1 ");
  EXPECT_EQ(process_.counts().unfreed, 0u);
}

TEST_F(Applying, KnowsReallocThatFailsOrFrees) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);
  apply(one_, RecordKind::kResizeBegin, 0x100);
  apply(one_, RecordKind::kResizeEnd, 0, 1 << 30);
  apply(one_, RecordKind::kResizeBegin, 0x100);
  apply(one_, RecordKind::kResizeEnd, 0, 0);
  EXPECT_EQ(events(), "a1:10 f1 ");
}

TEST_F(Applying, NestsReallocOfHandlers) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);
  apply(one_, RecordKind::kAllocate, 0x200, 20);
  apply(one_, RecordKind::kResizeBegin, 0x100);
  apply(one_, RecordKind::kResizeBegin, 0x200);
  apply(one_, RecordKind::kResizeEnd, 0x400, 40);
  apply(one_, RecordKind::kResizeEnd, 0x300, 30);
  EXPECT_EQ(events(), "a1:10 a2:20 r2:40 r1:30 ");
}

TEST_F(Applying, TakesAnAllocatorsInnerCallForOne) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);  // malloc, within
  apply(one_, RecordKind::kAllocate, 0x100, 10);  // operator new
  apply(one_, RecordKind::kFree, 0x100);          // operator delete
  apply(one_, RecordKind::kFree, 0x100);          // free, within
  EXPECT_EQ(events(), "a1:10 f1 ");
}

TEST_F(Applying, TakesReallocWithinReallocarrayForOne) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);
  apply(one_, RecordKind::kResizeBegin, 0x100);
  apply(one_, RecordKind::kResizeBegin, 0x100);
  apply(one_, RecordKind::kResizeEnd, 0x300, 30);
  apply(other_, RecordKind::kAllocate, 0x100, 20);
  apply(one_, RecordKind::kResizeEnd, 0x300, 30);
  apply(one_, RecordKind::kResizeBegin, 0x300);  // which fails
  apply(one_, RecordKind::kResizeBegin, 0x300);
  apply(one_, RecordKind::kResizeEnd, 0, 40);
  apply(one_, RecordKind::kResizeEnd, 0, 40);
  apply(one_, RecordKind::kFree, 0x300);
  EXPECT_EQ(events(), "a1:10 a2:20 r1:30 f1 ");
  EXPECT_EQ(process_.counts().unfreed, 0u);
  EXPECT_EQ(process_.counts().unknown, 0u);
}

TEST_F(Applying, FreesWhatIsGivenOutAnew) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);
  apply(other_, RecordKind::kAllocate, 0x100, 20);
  EXPECT_EQ(events(), "a1:10 f1 a2:20 ");
  EXPECT_EQ(process_.counts().unfreed, 1u);
}

TEST_F(Applying, LeavesOutWhatWasNeverSeen) {
  apply(one_, RecordKind::kFree, 0x500);
  apply(one_, RecordKind::kResizeBegin, 0x600);
  apply(one_, RecordKind::kResizeEnd, 0x700, 70);
  EXPECT_EQ(events(), "a1:70 ");
  EXPECT_EQ(process_.counts().unknown, 2u);
}

TEST_F(Applying, BeginsAChildWithWhatItHas) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);
  apply(one_, RecordKind::kAllocate, 0x200, 20);
  apply(one_, RecordKind::kFree, 0x100);
  const auto left = process_.bequeath("parent");
  EXPECT_EQ(left->objects->size(), 1u);
  ProcessTrace child(2, 4712);
  child.inherit(left);
  ThreadState thread;
  child.open(path_, {});
  child.apply(thread, Seen{static_cast<std::uint64_t>(RecordKind::kFree) << 56 | 0x200}, 0);
  child.finish();
  EXPECT_EQ(child.parent(), 4711);
  tracefile::Reader reader(path_);
  const auto frame = reader.next();
  ASSERT_EQ(frame.size(), 4u);
  EXPECT_EQ(frame[0].bytes, 20u);
  EXPECT_EQ(frame[1].kind, Kind::kPhase);
  EXPECT_EQ(frame[3].kind, Kind::kFree);
}

TEST_F(Applying, SharesWhatItLeavesUntilItChanges) {
  apply(one_, RecordKind::kAllocate, 0x100, 10);
  const auto first = process_.bequeath("parent");
  EXPECT_EQ(process_.bequeath("parent")->objects, first->objects);
  apply(one_, RecordKind::kAllocate, 0x200, 20);
  EXPECT_EQ(process_.bequeath("parent")->objects->size(), 2u);
  EXPECT_EQ(first->objects->size(), 1u);
}

}  // namespace
}  // namespace mmt::tracing

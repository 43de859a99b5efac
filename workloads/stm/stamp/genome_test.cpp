// What the check of genome says of wrong genes and of segments that were dropped.
#include "stm/stamp/genome.h"

#include <gtest/gtest.h>

namespace mmt::workloads::stm::genome {
namespace {

constexpr Parameters kAsked{128, 16, 2000};

class Genome : public testing::Test {
 protected:
  ~Genome() override { free_input(input_); }

  // What comes out of `from` against what there is.
  bool holds_for(const Input& from) const {
    StmWorld world({}, 2);
    Sequencer<StmWorld> sequencer(world, kAsked, from);
    world.parallel([&](auto& worker, unsigned number) { sequencer.work(worker, number); });
    return sequencer.is_right(input_);
  }

  Input input_ = make_input(kAsked);
};

TEST_F(Genome, ARunIsRight) { EXPECT_TRUE(holds_for(input_)); }

// Each character starts a segment here: without one of them the gene comes out all the same.
TEST_F(Genome, ASegmentThatIsDroppedIsWrong) {
  const Input all = make_input(kAsked);
  Vector* const segments = all.segments->contents;
  ASSERT_EQ(segments->size, kAsked.segments);
  const std::string_view dropped(input_.gene->characters + 40, kAsked.segment);
  for (size_t i = 0; i < segments->size; ++i) {
    if (static_cast<const char*>(segments->elements[i]) != dropped) continue;
    segments->elements[i] = segments->elements[i == 0 ? 1 : i - 1];
  }
  EXPECT_FALSE(holds_for(all));
  free_input(all);
}

TEST_F(Genome, AWrongCharacterIsWrong) {
  const Input other = make_input(kAsked);
  other.gene->characters[60] = other.gene->characters[60] == 'a' ? 'c' : 'a';
  StmWorld world({}, 1);
  Sequencer<StmWorld> sequencer(world, kAsked, input_);
  world.parallel([&](auto& worker, unsigned number) { sequencer.work(worker, number); });
  EXPECT_TRUE(sequencer.is_right(input_));
  EXPECT_FALSE(sequencer.is_right(other));
  free_input(other);
}

}  // namespace
}  // namespace mmt::workloads::stm::genome

// The block of an object whose constructor throws is given back, whatever follows.
#include <malloc.h>

#include <cstdlib>
#include <functional>
#include <new>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>
#include <mmt/stm/plain_tx.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

// Real: malloc, give_out.
long g_given_out = 0;
void* give_out(size_t bytes) {
  ++g_given_out;
  return std::malloc(bytes);
}
void take_back(void* block) {
  --g_given_out;
  std::free(block);
}

// Writes into itself, in the transaction, before it throws.
struct Throws {
  explicit Throws(Tx& tx) {
    tx.write(value, 5L);
    throw 1;
  }
  long value;
};
struct ThrowsAtOnce {
  ThrowsAtOnce() { throw 1; }
  long value;
};

class Create : public testing::TestWithParam<Setting> {
 protected:
  // What the blocks of the logs leave out: those that live once the memory is gone.
  long left_by(const std::function<void(Thread&)>& transactions) {
    Options options = GetParam().options;
    options.supply.allocate = give_out;
    options.supply.free = take_back;
    const long before = g_given_out;
    {
      Memory memory(options);
      Thread thread(memory);
      transactions(thread);
    }
    return g_given_out - before;
  }
};

TEST_P(Create, TheBodyCatchesWhatTheConstructorThrows) {
  int caught = 0;
  EXPECT_EQ(left_by([&](Thread& thread) {
              for (int i = 0; i < 10; ++i) {
                atomically(thread, [&](Tx& tx) {
                  try {
                    (void)tx.create<Throws>(tx);
                  } catch (int) {
                    ++caught;
                  }
                  try {
                    (void)tx.create<ThrowsAtOnce>();
                  } catch (int) {
                    ++caught;
                  }
                });
              }
            }),
            0);
  EXPECT_EQ(caught, 20);
}

TEST_P(Create, TheAttemptAbortsAfterwards) {
  int attempts = 0;
  EXPECT_EQ(left_by([&](Thread& thread) {
              atomically(thread, [&](Tx& tx) {
                try {
                  (void)tx.create<Throws>(tx);
                } catch (int) {
                }
                if (++attempts == 1) tx.retry();
              });
            }),
            0);
  EXPECT_EQ(attempts, 2);
}

TEST_P(Create, TheExceptionLeavesTheBody) {
  EXPECT_EQ(left_by([&](Thread& thread) {
              EXPECT_THROW(atomically(thread, [&](Tx& tx) { (void)tx.create<Throws>(tx); }), int);
            }),
            0);
}

struct LargeThatThrows {
  LargeThatThrows() { throw 1; }
  char bytes[4096];
};

TEST(CreateWithoutTransactions, TheConstructorThrows) {
  const size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 10; ++i) {
    PlainTx plain;
    EXPECT_THROW((void)plain.create<LargeThatThrows>(), int);
  }
  EXPECT_LT(mallinfo2().uordblks, before + 10 * sizeof(LargeThatThrows));
}

INSTANTIATE_TEST_SUITE_P(Designs, Create, testing::ValuesIn(settings({10})),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::stm

// CPUs by affinity mask.
#include <gtest/gtest.h>

#include <mmt/sys/cpus.h>

namespace mmt::sys {
namespace {

TEST(Cpus, ThereIsOneAtLeast) { EXPECT_GE(affinity_cpus(), 1u); }

}  // namespace
}  // namespace mmt::sys

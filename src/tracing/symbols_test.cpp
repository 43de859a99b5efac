// Names of this very program's functions.
#include "tracing/symbols.h"

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace mmt::tracing {

// In the program's table of symbols under this name.
__attribute__((noinline, visibility("default"))) int a_function_for_this_test(int value) {
  asm volatile("" : "+r"(value));
  return value;
}
// Read as a name of C++ it would be "float".
extern "C" __attribute__((noinline, visibility("default"))) int f(int value) {
  asm volatile("" : "+r"(value));
  return value + 1;
}

namespace {

std::uint64_t place_of(int (*function)(int)) {
  std::uint64_t base = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<std::uint64_t*>(to) = info->dlpi_addr;
        return 1;  // the program itself comes first
      },
      &base);
  return reinterpret_cast<std::uint64_t>(function) - base;
}

class Names : public testing::Test {
 protected:
  void SetUp() override {
    if (!symbols_.why_none().empty()) GTEST_SKIP() << symbols_.why_none();
  }
  Symbols symbols_;
};

TEST_F(Names, AreThoseOfTheSource) {
  const auto place = symbols_.at("/proc/self/exe", place_of(a_function_for_this_test));
  EXPECT_EQ(place.function, "mmt::tracing::a_function_for_this_test(int)");
  if (!place.file.empty()) {
    EXPECT_TRUE(place.file.ends_with("symbols_test.cpp")) << place.file;
    EXPECT_GT(place.line, 10);
  }
}

TEST_F(Names, OfCStay) { EXPECT_EQ(symbols_.at("/proc/self/exe", place_of(f)).function, "f"); }

TEST_F(Names, AreFoundByTheDistanceFromTheFirstPage) {
  std::uint64_t first_page = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        const ElfW(Phdr)* segment = info->dlpi_phdr;
        while (segment->p_type != PT_LOAD) ++segment;
        *static_cast<std::uint64_t*>(to) = info->dlpi_addr + segment->p_vaddr / 4096 * 4096;
        return 1;
      },
      &first_page);
  const std::uint64_t distance = reinterpret_cast<std::uint64_t>(f) - first_page;
  EXPECT_EQ(symbols_.at_distance("/proc/self/exe", distance).function, "f");
  EXPECT_EQ(symbols_.at_distance("/etc/passwd", distance).function, "");
}

TEST_F(Names, ComeBackAfterTheirReaderHasEnded) {
  const auto address = place_of(a_function_for_this_test);
  const std::string own = "/proc/self/exe";
  EXPECT_NE(symbols_.at(own, address).function, "");
  // By a path that is too long nobody is asked.
  EXPECT_EQ(symbols_.at(std::string(1 << 20, '/'), 16).function, "");
  EXPECT_NE(symbols_.at("/proc/self/../self/exe", address).function, "");
}

TEST_F(Names, AreEmptyWhereNoneIs) {
  EXPECT_EQ(symbols_.at("/nowhere", 16).function, "");
  EXPECT_EQ(symbols_.at("/etc/passwd", 16).function, "");
  EXPECT_EQ(symbols_.at("/proc/self/exe", UINT64_MAX / 2).function, "");
}

}  // namespace
}  // namespace mmt::tracing

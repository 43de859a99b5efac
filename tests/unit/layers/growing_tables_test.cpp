// Tables that grow are read by a signal handler in between: after each of their system calls here.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <functional>

#include <gtest/gtest.h>

#include <mmt/layers/fit/side_table.h>
#include <mmt/layers/general/phk/page_directory.h>

namespace {

std::function<void()>* after_call = nullptr;

void call_handler() {
  if (after_call != nullptr) (*after_call)();
}

}  // namespace

// In place of libc's.
extern "C" int munmap(void* at, size_t bytes) noexcept {
  const long result = syscall(SYS_munmap, at, bytes);
  call_handler();
  return static_cast<int>(result);
}

extern "C" void* mremap(void* at, size_t bytes, size_t new_bytes, int flags, ...) noexcept {
  va_list rest;
  va_start(rest, flags);
  void* const wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(rest, void*) : nullptr;
  va_end(rest);
  void* const result =
      reinterpret_cast<void*>(syscall(SYS_mremap, at, bytes, new_bytes, flags, wanted));
  call_handler();
  return result;
}

namespace mmt::layers {
namespace {

class GrowingTables : public ::testing::Test {
 protected:
  ~GrowingTables() override { after_call = nullptr; }
  // handler() runs after each call from now on.
  void interrupt(std::function<void()> handler) {
    handler_ = [this, handler = std::move(handler)] {
      ++calls;
      handler();
    };
    after_call = &handler_;
  }
  int calls = 0;

 private:
  std::function<void()> handler_;
};

TEST_F(GrowingTables, PageDirectoryIsReadAsItGrows) {
  PageDirectory directory;
  char* const begin = reinterpret_cast<char*>(uintptr_t{1} << 40);
  ASSERT_TRUE(directory.cover(begin, begin + 100 * kPhkPage));
  directory.set(begin, 100, PageDirectory::kFirst, nullptr);
  interrupt([&] { EXPECT_EQ(directory.of(begin + 99 * kPhkPage), PageDirectory::kFirst); });
  for (size_t pages = 200; pages < 2'000'000; pages *= 2) {
    ASSERT_TRUE(directory.cover(begin, begin + pages * kPhkPage));
    EXPECT_EQ(directory.of(begin + (pages - 1) * kPhkPage), PageDirectory::kNotMine);
  }
  after_call = nullptr;
  EXPECT_GT(calls, 5);
}

TEST_F(GrowingTables, SideTableIsReadAsItGrows) {
  fit::SideTable<uint64_t> table;
  ASSERT_TRUE(table.cover(100, 0));
  table[99] = 7;
  interrupt([&] { EXPECT_EQ(table[99], 7u); });
  for (size_t count = 200; count < 20'000'000; count *= 2) {
    ASSERT_TRUE(table.cover(count, 100));
    EXPECT_EQ(table[count - 1], 0u);
  }
  after_call = nullptr;
  EXPECT_GT(calls, 5);
}

// As where a request is refused after the table has grown for it.
TEST(SideTable, WhatWasNeverWrittenIsNotRead) {
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  fit::SideTable<uint64_t> table;
  ASSERT_TRUE(table.cover(10'000'000, 0));  // 80 MB
  table[99] = 7;
  const long before = faults();
  ASSERT_TRUE(table.cover(100'000'000, 100));
  EXPECT_LT(faults() - before, 1000);
  EXPECT_EQ(table[99], 7u);
  EXPECT_EQ(table[10'000'000 - 1], 0u);
}

}  // namespace
}  // namespace mmt::layers

// Which words of a stack are taken for frames.
#include "harden/capture.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <gtest/gtest.h>

namespace mmt::harden {
namespace {

__attribute__((noinline)) void capture_here(Stack* stack) {
  capture_call(stack, __builtin_return_address(0));
}
__attribute__((noinline)) void capture_below(Stack* stack) {
  capture_here(stack);
  asm volatile("" : : : "memory");  // no jump in place of the call
}

TEST(Capture, FirstIsTheCallerAndOuterFramesFollow) {
  Stack stack{};
  capture_below(&stack);
  ASSERT_GT(stack.count, 1U);
  const auto first = reinterpret_cast<uintptr_t>(stack.frames[0]);
  EXPECT_LT(first - reinterpret_cast<uintptr_t>(&capture_below), 64U);
  EXPECT_NE(stack.frames[1], stack.frames[0]);
  keep_calls(&stack);
  EXPECT_GT(stack.count, 1U);
  EXPECT_LE(stack.count, uint32_t{Stack::kShown});
}

TEST(Capture, NullCallerIsNoFrame) {
  Stack stack{};
  capture_instruction(&stack, nullptr, __builtin_frame_address(0));
  EXPECT_NE(stack.thread, 0U);
}

// Whether a frame stays that these bytes stand before.
bool is_kept(std::initializer_list<uint8_t> bytes) {
  alignas(8) uint8_t code[24]{};
  std::copy(bytes.begin(), bytes.end(), code + 16 - bytes.size());
  Stack stack{{code, code + 16}, 2, 1, 0};
  keep_calls(&stack);
  return stack.count == 2;
}

#if defined(__x86_64__)
TEST(Capture, KeepsWhatStandsBehindACall) {
  EXPECT_TRUE(is_kept({0xE8, 1, 2, 3, 4}));              // call rel32
  EXPECT_TRUE(is_kept({0xFF, 0xD0}));                    // call *%rax
  EXPECT_TRUE(is_kept({0x41, 0xFF, 0xD4}));              // call *%r12
  EXPECT_TRUE(is_kept({0xFF, 0x10}));                    // call *(%rax)
  EXPECT_TRUE(is_kept({0xFF, 0x50, 0x18}));              // call *0x18(%rax)
  EXPECT_TRUE(is_kept({0xFF, 0x14, 0xC7}));              // call *(%rdi,%rax,8)
  EXPECT_TRUE(is_kept({0xFF, 0x54, 0x24, 0x08}));        // call *8(%rsp)
  EXPECT_TRUE(is_kept({0xFF, 0x15, 1, 2, 3, 4}));        // call *x(%rip)
  EXPECT_TRUE(is_kept({0xFF, 0x90, 1, 2, 3, 4}));        // call *x(%rax)
  EXPECT_TRUE(is_kept({0xFF, 0x94, 0x24, 1, 2, 3, 4}));  // call *x(%rsp)
  EXPECT_TRUE(is_kept({0xFF, 0x14, 0xC5, 1, 2, 3, 4}));  // call *x(,%rax,8)
}

TEST(Capture, LeavesOutOthers) {
  EXPECT_FALSE(is_kept({}));
  EXPECT_FALSE(is_kept({0xE9, 1, 2, 3, 4}));  // jmp
  EXPECT_FALSE(is_kept({0xFF, 0xE0}));        // jmp *%rax
  EXPECT_FALSE(is_kept({0xFF, 0x50}));        // a byte is missing
  EXPECT_FALSE(is_kept({0x90, 0xC3}));        // ret
}
#endif

TEST(Capture, ShowsTheFirstFramesAlone) {
  Stack stack{};
  stack.count = Stack::kMost;
  keep_calls(&stack);  // null pointers cannot be read
  EXPECT_EQ(stack.count, uint32_t{Stack::kShown});
}

}  // namespace
}  // namespace mmt::harden

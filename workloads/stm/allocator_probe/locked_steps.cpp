#include "stm/allocator_probe/locked_steps.h"

#include <signal.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace mmt::workloads::stm {

namespace {

constexpr long long kTrapFlag = 0x100;
constexpr size_t kMostSteps = 200'000;

// These count for the stepped thread, which the handler interrupts.
volatile size_t steps = 0;
volatile size_t locked = 0;

void on_step(int, siginfo_t*, void* raw) {
  auto* const context = static_cast<ucontext_t*>(raw);
  auto& registers = context->uc_mcontext.gregs;
  const auto at = static_cast<uintptr_t>(registers[REG_RIP]);
  if (is_locked(reinterpret_cast<const unsigned char*>(at))) locked = locked + 1;
  steps = steps + 1;
  if (steps >= kMostSteps) registers[REG_EFL] &= ~kTrapFlag;
}

void step(bool on) {
  if (on) {
    asm volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "cc", "memory");
  } else {
    asm volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "cc", "memory");
  }
}

[[gnu::noinline]] void pair(size_t bytes) {
  void* volatile block = std::malloc(bytes);
  std::free(block);
}

}  // namespace

bool is_locked(const unsigned char* code) {
  size_t at = 0;
  for (; at < 14; ++at) {
    const unsigned char byte = code[at];
    if (byte == 0xf0) return true;
    const bool prefix = byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 ||
                        byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 ||
                        byte == 0x64 || byte == 0x65;
    if (!prefix) break;
  }
  if ((code[at] & 0xf0) == 0x40) ++at;  // REX
  const bool exchange = code[at] == 0x86 || code[at] == 0x87;
  return exchange && (code[at + 1] >> 6) != 3;
}

// The red zone below the stack's top is what step() writes into: the caller must have none.
[[gnu::noinline, gnu::target("general-regs-only")]] static void stepped_pair(size_t bytes) {
  step(true);
  pair(bytes);
  step(false);
}

namespace {

constexpr int kMost = 254;
constexpr int kEndless = 255;

// The exit status is the answer.
[[noreturn]] void count_in_child(size_t bytes) {
  // A second thread: alone, some allocators take no locks.
  std::thread([] {
    std::free(std::malloc(16));
    for (;;) pause();
  }).detach();
  for (int i = 0; i < 1000; ++i) pair(bytes);
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, nullptr);
  stepped_pair(bytes);
  if (steps >= kMostSteps) _exit(kEndless);
  _exit(locked < kMost ? static_cast<int>(locked) : kMost);
}

}  // namespace

std::optional<size_t> locked_steps_of_pair(size_t bytes) {
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) count_in_child(bytes);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) == kEndless) return std::nullopt;
  return static_cast<size_t>(WEXITSTATUS(status));
}

}  // namespace mmt::workloads::stm

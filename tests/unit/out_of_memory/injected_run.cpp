#include "unit/out_of_memory/injected_run.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <stdexcept>

#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "support/expect.h"
#include "support/units.h"

namespace mmt::out_of_memory {
namespace {

using test::kSecond;

using sys::fake::Faults;

constexpr uint64_t kTimeLimitNs = 40 * kSecond;
constexpr uint64_t kLookNs = kSecond / 1000;

// What parent and child share.
struct Shared {
  Faults faults;
  std::atomic<const char*> step;
};

class SharedMemory {
 public:
  SharedMemory() {
    void* const at =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::runtime_error("no memory to share with a child");
    shared_ = new (at) Shared{};
  }
  ~SharedMemory() { munmap(shared_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared* operator->() { return shared_; }

 private:
  Shared* shared_;
};

// How the child ended, in words; empty for status 0.
std::string wait_for(pid_t child) {
  const uint64_t limit = sys::monotonic_ns() + kTimeLimitNs;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (sys::monotonic_ns() > limit) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "hangs";
    }
    sys::sleep_ns(kLookNs);
  }
  if (WIFSIGNALED(status)) return std::string("dies: ") + strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return "fails with status " + std::to_string(WEXITSTATUS(status));
  return "";
}

}  // namespace

Outcome run_injected(Setting setting, const sys::fake::Plan& plan) {
  SharedMemory shared;
  shared->faults.arm(plan);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork fails");
  if (child == 0) {
    try {
      run_workload(setting, &shared->faults, &shared->step);
    } catch (const std::exception& failure) {
      expect_failed(__FILE__, __LINE__, "no exception", " %s", failure.what());
    }
    _exit(0);
  }
  Outcome outcome;
  outcome.problem = wait_for(child);
  const char* const step = shared->step.load(std::memory_order_relaxed);
  if (!outcome.problem.empty() && step != nullptr)
    outcome.problem += std::string(" at step '") + step + "'";
  if (shared->faults.overflown()) outcome.problem += " (more call sites than kMaxSites)";
  for (size_t i = 0; i < sys::fake::kMaxSites; ++i) {
    const sys::fake::Site& site = shared->faults.site(i);
    if (const auto id = site.id.load(std::memory_order_relaxed); id != 0)
      outcome.sites[id] = {site.calls.load(std::memory_order_relaxed),
                           site.failed.load(std::memory_order_relaxed)};
  }
  return outcome;
}

}  // namespace mmt::out_of_memory

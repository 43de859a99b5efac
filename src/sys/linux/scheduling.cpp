#include <sched.h>

#include <bit>

#include <mmt/sys/scheduling.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {
namespace {

constexpr uint32_t kDeadline = 6;  // SCHED_DEADLINE

struct Attributes {  // the kernel's struct sched_attr, version 0
  uint32_t size = sizeof(Attributes);
  uint32_t policy = 0;
  uint64_t flags = 0;
  int32_t niceness = 0;
  uint32_t priority = 0;
  uint64_t runtime = 0;
  uint64_t deadline = 0;
  uint64_t period = 0;
};
static_assert(sizeof(Attributes) == 48);

}  // namespace

bool CpuSet::read(uint32_t thread) {
  CpuSet found;
  if (raw_syscall(SYS_sched_getaffinity, thread, sizeof found.words_,
                  pointer_argument(found.words_)) <= 0)
    return false;
  *this = found;
  return true;
}

bool CpuSet::apply(uint32_t thread) const {
  return raw_syscall(SYS_sched_setaffinity, thread, sizeof words_, pointer_argument(words_)) == 0;
}

unsigned CpuSet::count() const {
  unsigned count = 0;
  for (const uint64_t word : words_) count += static_cast<unsigned>(std::popcount(word));
  return count;
}

CpuSet& CpuSet::operator|=(const CpuSet& other) {
  for (unsigned i = 0; i < kCpus / 64; ++i) words_[i] |= other.words_[i];
  return *this;
}

bool Scheduling::read(uint32_t thread) {
  Attributes found;
  if (raw_syscall(SYS_sched_getattr, thread, pointer_argument(&found), sizeof found, 0) != 0)
    return false;
  *this = {found.policy, found.niceness, found.priority};
  return true;
}

bool Scheduling::apply(uint32_t thread) const {
  Attributes wanted;
  wanted.policy = policy;
  wanted.niceness = niceness;
  wanted.priority = priority;
  return raw_syscall(SYS_sched_setattr, thread, pointer_argument(&wanted), 0) == 0;
}

bool Scheduling::is_real_time() const { return policy == SCHED_FIFO || policy == SCHED_RR; }
bool Scheduling::is_deadline() const { return policy == kDeadline; }

bool follow_class(uint32_t model, uint32_t thread, int32_t niceness) {
  Scheduling wanted;
  Scheduling now;
  if (!wanted.read(model) || !now.read(thread)) return true;  // nothing can be told
  if (wanted.is_deadline()) return false;
  if (wanted.is_real_time()) return wanted == now || wanted.apply(thread);
  if (niceness != 0) {
    Scheduling asked = wanted;
    asked.niceness = niceness;
    if (asked == now || asked.apply(thread)) return true;
  }
  if (wanted != now) wanted.apply(thread);
  return true;
}

bool lend_real_time(uint32_t thread) {
  Scheduling own;
  if (!own.read(0)) return false;
  if (own.is_deadline()) own = {SCHED_FIFO, 0, 1};
  if (!own.is_real_time()) return false;
  own.apply(thread);
  return true;
}

}  // namespace mmt::sys

#include <sched.h>

#include <algorithm>
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

int strength(uint32_t policy) {
  switch (policy) {
    case SCHED_IDLE:
      return 0;
    case SCHED_BATCH:
      return 1;
    case SCHED_RR:
      return 3;
    case SCHED_FIFO:
      return 4;
    case kDeadline:
      return 5;
    default:
      return 2;
  }
}

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

Scheduling weaker_of(const Scheduling& a, const Scheduling& b) {
  const bool first = strength(a.policy) < strength(b.policy);
  Scheduling weaker = first ? a : b;
  const Scheduling& other = first ? b : a;
  // A real-time thread has no niceness, and says 0.
  if (weaker.is_real_time())
    weaker.priority = other.is_real_time() ? std::min(a.priority, b.priority) : weaker.priority;
  else if (!other.is_real_time() && !other.is_deadline())
    weaker.niceness = std::max(a.niceness, b.niceness);
  return weaker;
}

bool follow_class(const Scheduling& wanted, uint32_t thread, int32_t niceness) {
  Scheduling now;
  if (!now.read(thread)) return true;  // nothing can be told
  if (wanted.is_deadline()) return false;
  if (!wanted.is_real_time() && niceness != 0) {
    Scheduling asked = wanted;
    asked.niceness = niceness;
    if (asked == now || asked.apply(thread)) return true;
  }
  return wanted == now || wanted.apply(thread);
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

#pragma once
// The switch of the Fake double of <mmt/sys/pages.h>: counts calls by the place they come from, and
// says which of them fail.
//
// Lock-free, allocates nothing and uses no thread-local state: it is asked inside malloc and on the
// memory thread. All zero is valid: nothing fails. It may lie in memory that processes share, so
// that a test sees what its child met. Counters are relaxed: nothing is read through them.
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mmt::sys::fake {

// Calls of the contract that can fail.
enum class Call : uint8_t {
  kMapAt,
  kMapAnywhere,
  kPopulate,
  kPreferHugePages,
  kDiscard,
  kRenew,
  kMovePages,
  kResizeMapping,
  kMoveMapping,
  kMovePieces,
  kCount
};

inline constexpr size_t kCallCount = static_cast<size_t>(Call::kCount);
inline constexpr size_t kMaxSites = 128;

// The id of a place in the code that makes a call. It is the return address, with the call's number
// in the lowest bits (a tail call may lend one return address to several). 0: none.
using SiteId = uint64_t;

constexpr SiteId site_id(Call call, uintptr_t return_address) {
  return uint64_t{return_address} << 4 | static_cast<uint64_t>(call);
}
constexpr Call call_of(SiteId id) { return static_cast<Call>(id & 15); }
constexpr uintptr_t return_address_of(SiteId id) { return static_cast<uintptr_t>(id >> 4); }
static_assert(kCallCount <= 16);

struct Site {
  std::atomic<SiteId> id;
  std::atomic<uint32_t> calls;
  std::atomic<uint32_t> failed;
};

enum class Mode : uint8_t {
  kNone,
  kOnce,   // the number-th call of `site`
  kFrom,   // that one and all later ones
  kEvery,  // every number-th call of any kind, wherever it comes from
};

struct Plan {
  Mode mode = Mode::kNone;
  SiteId site = 0;
  uint32_t number = 0;
  uint32_t refused = 0;  // kinds of calls that always fail: bits, by number of Call
};

class Faults {
 public:
  // Before the calls that it is for: by one thread, while no other is at it.
  void arm(const Plan& plan) {
    site_.store(plan.site, std::memory_order_relaxed);
    number_.store(plan.number, std::memory_order_relaxed);
    refused_.store(plan.refused, std::memory_order_relaxed);
    mode_.store(plan.mode, std::memory_order_relaxed);
    armed_.store(true, std::memory_order_relaxed);
  }
  // Nothing fails any more, and nothing is counted. It may be called at any time.
  void disarm() { armed_.store(false, std::memory_order_relaxed); }

  // Counts a call, and says whether it fails.
  bool fails(SiteId id);

  // How many calls of a kind have failed so far.
  uint32_t failed(Call call) const;

  // For readers: sites in no order; those without a call have id 0.
  const Site& site(size_t index) const { return sites_[index]; }
  // True when calls came from more places than can be told apart: those were not counted.
  bool overflown() const { return overflown_.load(std::memory_order_relaxed); }

 private:
  Site* find(SiteId id);

  std::atomic<Mode> mode_;
  std::atomic<SiteId> site_;
  std::atomic<uint32_t> number_;
  std::atomic<uint32_t> refused_;
  std::atomic<bool> armed_;
  std::atomic<uint32_t> calls_;  // of all sites
  std::atomic<bool> overflown_;
  Site sites_[kMaxSites];
};

static_assert(std::atomic<SiteId>::is_always_lock_free);

// From now on `faults` is asked at each call; nullptr: nobody. To be called before the first call
// of the contract.
void use(Faults* faults);

}  // namespace mmt::sys::fake

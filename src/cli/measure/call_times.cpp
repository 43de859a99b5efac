// Reading the counts of libmmt-latency.so.
#include "cli/measure/call_times.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include <mmt/core/compiler.h>

#include "command/failure.h"
#include "interprocess/histogram.h"
#include "interprocess/ticks.h"

namespace mmt::cli {

using command::Failure;
using command::kFailed;

namespace {

// Measured once: it takes 50 ms.
double ticks_per_ns() {
  static const double value = latency::ticks_per_ns();
  return value;
}

struct Sum {
  latency::Histogram histogram;
  std::uint64_t total = 0;
  std::uint64_t in_long_calls = 0;
};

std::unique_ptr<Sum> sum_of(const latency::CallPage& page, latency::Call call) {
  auto sum = std::make_unique<Sum>();
  for (const auto& shard : page.shards) {
    const latency::CallCounts& counts = shard[static_cast<std::uint32_t>(call)];
    for (std::uint32_t bucket = 0; bucket < latency::kBuckets; ++bucket) {
      sum->histogram.add_to_bucket(bucket, counts.buckets[bucket].load());
    }
    sum->histogram.raise_max(counts.max.load());
    sum->total += counts.total.load();
    sum->in_long_calls += counts.in_long_calls.load();
  }
  return sum;
}

void add_values(const latency::CallPage& page, latency::Call call, const std::string& name,
                std::vector<ReportedValue>& values) {
  const auto sum = sum_of(page, call);
  const latency::Histogram& histogram = sum->histogram;
  values.push_back({name + "_calls", static_cast<double>(histogram.count()), "count"});
  if (histogram.count() == 0) return;
  const auto ns = [](std::uint64_t ticks) { return static_cast<double>(ticks) / ticks_per_ns(); };
  values.push_back({name + "_call_p50", ns(histogram.quantile(0.5)), "ns"});
  values.push_back({name + "_call_p90", ns(histogram.quantile(0.9)), "ns"});
  values.push_back({name + "_call_p99", ns(histogram.quantile(0.99)), "ns"});
  values.push_back({name + "_call_p999", ns(histogram.quantile(0.999)), "ns"});
  values.push_back({name + "_call_p9999", ns(histogram.quantile(0.9999)), "ns"});
  values.push_back({name + "_call_max", ns(histogram.max()), "ns"});
  values.push_back({name + "_call_total", ns(sum->total) * 1e-6, "ms"});
  values.push_back({name + "_call_over10us", ns(sum->in_long_calls) * 1e-6, "ms"});
}

}  // namespace

CallTimes::CallTimes(const std::string& path) {
  // A file beyond the limit on sizes is an error like others, no reason to die.
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  void* memory = MAP_FAILED;
  int error = file >= 0 ? ::posix_fallocate(file, 0, sizeof(latency::CallPage)) : errno;
  if (error == 0) {
    memory =
        ::mmap(nullptr, sizeof(latency::CallPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    error = errno;
  }
  if (file >= 0) ::close(file);
  std::signal(SIGXFSZ, before);
  if (memory == MAP_FAILED) {
    throw Failure(kFailed, fmt::format("cannot make '{}': {}", path, std::strerror(error)));
  }
  page_ = static_cast<latency::CallPage*>(memory);
  page_->magic = latency::kPageMagic;
  page_->long_ticks = static_cast<std::uint64_t>(latency::kLongCallNs * ticks_per_ns());
}

CallTimes::~CallTimes() { ::munmap(page_, sizeof *page_); }

std::uint32_t CallTimes::processes() const { return page_->processes.load(); }

std::uint32_t CallTimes::threads() const { return page_->next_shard.load(); }

std::vector<ReportedValue> CallTimes::values() const {
  if (page_->processes.load() == 0) {
    throw Failure(kFailed,
                  "its calls could not be timed: libmmt-latency.so was not loaded into it");
  }
  std::vector<ReportedValue> values;
  add_values(*page_, latency::Call::kAllocate, "malloc", values);
  add_values(*page_, latency::Call::kFree, "free", values);
  return values;
}

double empty_call_ns() {
  // Through a pointer that the compiler cannot see through, as calls of the next library go. The
  // counter may move in steps of more than one call takes, so only a mean tells. The median of
  // several means is none that was interrupted.
  void (*volatile nothing)() = [] {};
  constexpr int kCalls = 1000;
  std::array<double, 101> means{};
  for (double& mean : means) {
    std::uint64_t total = 0;
    for (int i = 0; i < kCalls; ++i) {
      const std::uint64_t start = core::ticks_before();
      nothing();
      total += core::ticks_after() - start;
    }
    mean = static_cast<double>(total) / kCalls;
  }
  const auto middle = means.begin() + means.size() / 2;
  std::nth_element(means.begin(), middle, means.end());
  return *middle / ticks_per_ns();
}

}  // namespace mmt::cli

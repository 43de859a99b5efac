// openmp: one thread allocates and frees, all work on what it has allocated, in parallel loops.
// Each round allocates records, has all threads sum them up, and replaces a random half. Metrics:
// total (s), serial (s; in allocation and free, while the other threads wait).
#include <omp.h>

#include <cstdint>
#include <cstdlib>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "openmp";

struct Record {
  uint64_t bytes;  // of it all
  unsigned char payload[1];
};

Record* make(Rng& rng) {
  const uint64_t bytes = sizeof(Record) + rng.log_uniform(16, 256);
  auto* record = static_cast<Record*>(std::malloc(bytes));
  if (record == nullptr) std::abort();
  record->bytes = bytes;
  record->payload[0] = static_cast<unsigned char>(bytes);
  return record;
}

uint64_t work_on(Table<Record*>& records, uint64_t passes) {
  uint64_t sum = 0;
  const auto count = static_cast<int64_t>(records.size());
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (int64_t at = 0; at < count; ++at) {
    for (uint64_t pass = 0; pass < passes; ++pass) {
      sum += records[static_cast<uint64_t>(at)]->bytes * (pass + 1);
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  const uint64_t rounds = flags.number("rounds", 40);
  const uint64_t count = flags.number("records", 60'000);
  const uint64_t passes = flags.number("passes", 50);
  const uint64_t threads = flags.number("threads", 2);
  flags.finish();
  require(threads > 0 && count > 0, kProgram, "0 threads or records are none");
  omp_set_num_threads(static_cast<int>(threads));

  Stopwatch clock;
  Rng rng(7);
  double serial = 0;
  uint64_t expected = 0;
  Table<Record*> records(count);
  for (Record*& one : records) {
    one = make(rng);
    expected += one->bytes;
  }
  const uint64_t weight = passes * (passes + 1) / 2;
  for (uint64_t round = 0; round < rounds; ++round) {
    require(work_on(records, passes) == expected * weight, kProgram, "the threads' sum is wrong");
    Stopwatch alone;
    for (Record*& one : records) {
      if (rng.below(2) == 0) continue;
      expected -= one->bytes;
      std::free(one);
      one = make(rng);
      expected += one->bytes;
    }
    serial += alone.lap();
  }
  for (Record* one : records) std::free(one);

  Report report(kProgram);
  report.add("total", clock.lap(), "s");
  report.add("serial", serial, "s");
  return report.finish();
}

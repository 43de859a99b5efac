// decay: 1 GiB of small blocks is allocated and freed; then the program sleeps and makes no call
// at all. What has gone back to the system by then went by the allocator's own doing.
// Metrics: returned (percent of what the blocks had made resident), left (bytes still resident
// beyond the start), returned_at_once (percent before the sleep).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "common/flags.h"
#include "common/pause.h"
#include "common/process.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "decay";
constexpr uint64_t kSizes[] = {32, 100, 400, 1500, 4000};

double percent_returned(uint64_t start, uint64_t peak, uint64_t now) {
  return 100 * (static_cast<double>(peak) - static_cast<double>(now)) /
         (static_cast<double>(peak) - static_cast<double>(start));
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  uint64_t bytes = flags.number("bytes", uint64_t{1} << 30);
  uint64_t size = flags.number("size", 0);  // 0: equal bytes of every size in kSizes
  bool scattered = flags.text("order", "scattered", {"scattered", "allocation"}) == "scattered";
  uint64_t sleep_ms = flags.number("sleep-ms", 5000);
  flags.finish();

  Table<unsigned char*> blocks(bytes / (size == 0 ? kSizes[0] : std::max<uint64_t>(size, 1)) + 1);
  Rng rng(5);
  uint64_t start = resident_bytes();
  uint64_t count = 0;
  for (uint64_t done = 0; done < bytes; ++count) {
    uint64_t wanted = size;
    if (wanted == 0) {
      // The size with the fewest bytes so far: small ones come more often.
      static uint64_t filled[std::size(kSizes)];
      uint64_t* least = std::min_element(std::begin(filled), std::end(filled));
      wanted = kSizes[least - filled];
      *least += wanted;
    }
    auto* block = static_cast<unsigned char*>(std::malloc(wanted));
    if (block == nullptr) std::abort();
    block[0] = block[wanted - 1] = 1;
    blocks[count] = block;
    done += wanted;
  }
  uint64_t peak = resident_bytes();
  require(peak - start >= bytes / 10 * 9, kProgram, "the blocks are not resident");

  if (scattered) {
    for (uint64_t i = count - 1; i > 0; --i) std::swap(blocks[i], blocks[rng.below(i + 1)]);
  }
  for (uint64_t i = 0; i < count; ++i) std::free(blocks[i]);
  uint64_t freed = resident_bytes();
  pause_for(sleep_ms);
  uint64_t now = resident_bytes();

  Report report(kProgram);
  report.add("returned", percent_returned(start, peak, now), "percent");
  report.add("returned_at_once", percent_returned(start, peak, freed), "percent");
  report.add("left", now > start ? static_cast<double>(now - start) : 0, "bytes");
  return report.finish();
}

// decay: 1 GiB of small blocks is allocated and freed; then the program sleeps and makes no call
// at all. What has gone back to the system by then went by the allocator's own doing.
// Metrics: returned (percent of what the blocks had made resident), left (bytes still resident
// beyond the start), returned_at_once (percent before the sleep).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
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

// These are the sizes of blocks that fill `bytes`. All blocks have `size` bytes if it is not 0.
// Otherwise every size in kSizes has equal bytes, so that small ones come more often.
class Sizes {
 public:
  Sizes(uint64_t size, uint64_t bytes) : size_(size), left_(bytes) {}

  // 0 when the bytes are filled.
  uint64_t next() {
    if (left_ == 0) return 0;
    uint64_t size = size_;
    if (size == 0) {
      uint64_t* least = std::min_element(std::begin(filled_), std::end(filled_));
      size = kSizes[least - filled_];
      *least += size;
    }
    left_ -= std::min(size, left_);
    return size;
  }

 private:
  uint64_t size_;
  uint64_t left_;
  uint64_t filled_[std::size(kSizes)] = {};
};

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

  uint64_t count = 0;
  for (Sizes sizes(size, bytes); sizes.next() != 0;) ++count;
  Table<unsigned char*> blocks(count);
  Rng rng(5);
  uint64_t start = resident_bytes();
  Sizes sizes(size, bytes);
  for (unsigned char*& block : blocks) {
    uint64_t wanted = sizes.next();
    block = static_cast<unsigned char*>(std::malloc(wanted));
    if (block == nullptr) std::abort();
    block[0] = block[wanted - 1] = 1;
  }
  uint64_t peak = resident_bytes();
  require(peak - start >= bytes / 10 * 9, kProgram, "the blocks are not resident");

  if (scattered) {
    for (uint64_t i = count - 1; i > 0; --i) std::swap(blocks[i], blocks[rng.below(i + 1)]);
  }
  for (unsigned char* block : blocks) std::free(block);
  uint64_t freed = resident_bytes();
  pause_for(sleep_ms);
  uint64_t now = resident_bytes();

  Report report(kProgram);
  report.add("returned", percent_returned(start, peak, now), "percent");
  report.add("returned_at_once", percent_returned(start, peak, freed), "percent");
  report.add("left", now > start ? static_cast<double>(now - start) : 0, "bytes");
  return report.finish();
}

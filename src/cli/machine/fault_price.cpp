#include "cli/machine/fault_price.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace mmt::cli {

double fault_price_ns() {
  constexpr std::size_t kPages = 64;  // a batch: short, so that most are not interrupted
  std::array<double, 101> prices{};
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t bytes = prices.size() * kPages * page;
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  auto* at = static_cast<volatile char*>(memory);
  for (double& price : prices) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < kPages; ++i, at += page) *at = 1;
    const std::chrono::duration<double, std::nano> passed =
        std::chrono::steady_clock::now() - start;
    price = passed.count() / static_cast<double>(kPages);
  }
  ::munmap(memory, bytes);
  const auto middle = prices.begin() + prices.size() / 2;
  std::nth_element(prices.begin(), middle, prices.end());
  return *middle;
}

}  // namespace mmt::cli

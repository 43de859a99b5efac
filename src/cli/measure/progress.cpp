// The progress bar.
#include "cli/measure/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace mmt::cli {
namespace {

constexpr std::size_t kWidth = 30;

}  // namespace

Progress::Progress(bool wanted) : on_(wanted && ::isatty(STDERR_FILENO) == 1) {}

void Progress::show(double done, double total, std::string_view what) {
  if (!on_) return;
  const double share = total > 0 ? std::clamp(done / total, 0.0, 1.0) : 0;
  const auto filled = static_cast<std::size_t>(share * kWidth);
  const auto left = static_cast<long>(std::max(0.0, total - done));
  const std::string text =
      fmt::format("\r\033[K[{}{}] {:3.0f}% {}:{:02} left  {}", std::string(filled, '#'),
                  std::string(kWidth - filled, '.'), share * 100, left / 60, left % 60, what);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  visible_ = true;
}

void Progress::clear() {
  if (!visible_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace mmt::cli

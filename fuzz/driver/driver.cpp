#include "driver/driver.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace mmt::fuzz {
namespace {

constexpr size_t kShown = 30;

bool parse(const char* text, uint64_t* value) {
  char* end;
  errno = 0;
  *value = std::strtoull(text, &end, 10);
  return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0';
}

}  // namespace

std::optional<Request> read_request(int argc, char** argv) {
  Request request;
  if (argc >= 2 && argc <= 3 && parse(argv[1], &request.seconds) &&
      (argc == 2 || parse(argv[2], &request.seed)))
    return request;
  std::fprintf(stderr, "usage: %s SECONDS [SEED]\n", argv[0]);
  return std::nullopt;
}

bool time_is_over(uint64_t seconds) {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point start = Clock::now();
  return Clock::now() >= start + std::chrono::seconds(seconds);
}

void print_failure(uint64_t seed, const std::vector<std::string>& ops, const char* what) {
  std::fprintf(stderr, "seed %llu, operation %zu: %s\n", static_cast<unsigned long long>(seed),
               ops.size(), what);
  for (size_t i = ops.size() > kShown ? ops.size() - kShown : 0; i < ops.size(); ++i)
    std::fprintf(stderr, "  %s\n", ops[i].c_str());
}

void print_success(uint64_t ops, uint64_t runs) {
  std::printf("%llu operations in %llu runs\n", static_cast<unsigned long long>(ops),
              static_cast<unsigned long long>(runs));
}

}  // namespace mmt::fuzz

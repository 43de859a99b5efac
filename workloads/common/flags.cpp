#include "common/flags.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace mmt::workloads {

namespace {

int width(std::string_view text) { return static_cast<int>(text.size()); }

}  // namespace

Flags::Flags(const char* program, int argc, char** argv)
    : program_(program), count_(argc), arguments_(argv) {
  if (argc > kMaxArguments) {
    std::fprintf(stderr, "%s: too many arguments\n", program);
    std::exit(2);
  }
  help_ = given("help");
  if (help_) std::printf("usage: %s\n", program);
}

bool Flags::find(std::string_view name, std::string_view* value) {
  bool found = false;
  for (int i = 1; i < count_; ++i) {
    std::string_view argument = arguments_[i];
    if (!argument.starts_with("--") || !argument.substr(2).starts_with(name)) continue;
    argument.remove_prefix(2 + name.size());
    if (!argument.empty() && argument.front() != '=') continue;
    used_[i] = found = true;
    if (!argument.empty()) {
      *value = argument.substr(1);
    } else if (i + 1 < count_) {
      used_[++i] = true;
      *value = arguments_[i];
    } else {
      std::fprintf(stderr, "%s: --%.*s needs a value\n", program_, width(name), name.data());
      std::exit(2);
    }
  }
  return found;
}

uint64_t Flags::number(std::string_view name, uint64_t fallback) {
  if (help_) {
    std::printf("  --%.*s NUMBER (%llu)\n", width(name), name.data(),
                static_cast<unsigned long long>(fallback));
  }
  std::string_view value;
  if (!find(name, &value)) return fallback;
  uint64_t result = 0;
  const char* end = value.data() + value.size();
  auto [rest, error] = std::from_chars(value.data(), end, result);
  std::string_view suffix(rest, static_cast<size_t>(end - rest));
  unsigned shift = 0;
  if (suffix == "K") shift = 10;
  if (suffix == "M") shift = 20;
  if (suffix == "G") shift = 30;
  if (error != std::errc() || (shift == 0 && !suffix.empty()) || result > (UINT64_MAX >> shift)) {
    std::fprintf(stderr, "%s: --%.*s: '%.*s' is not a number\n", program_, width(name), name.data(),
                 width(value), value.data());
    std::exit(2);
  }
  return result << shift;
}

std::string_view Flags::text(std::string_view name, std::string_view fallback,
                             std::span<const std::string_view> allowed) {
  if (help_) {
    std::printf("  --%.*s", width(name), name.data());
    for (std::string_view choice : allowed) std::printf(" %.*s", width(choice), choice.data());
    if (!fallback.empty()) std::printf(" (%.*s)", width(fallback), fallback.data());
    std::printf("\n");
  }
  std::string_view value;
  if (!find(name, &value)) return fallback;
  for (std::string_view choice : allowed) {
    if (value == choice) return value;
  }
  if (allowed.empty()) return value;
  std::fprintf(stderr, "%s: --%.*s: '%.*s' is not one of", program_, width(name), name.data(),
               width(value), value.data());
  for (std::string_view choice : allowed)
    std::fprintf(stderr, " %.*s", width(choice), choice.data());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

bool Flags::given(std::string_view name) {
  if (help_) std::printf("  --%.*s\n", width(name), name.data());
  for (int i = 1; i < count_; ++i) {
    std::string_view argument = arguments_[i];
    if (argument.starts_with("--") && argument.substr(2) == name) {
      used_[i] = true;
      return true;
    }
  }
  return false;
}

void Flags::finish() const {
  if (help_) std::exit(0);
  for (int i = 1; i < count_; ++i) {
    if (used_[i]) continue;
    std::fprintf(stderr, "%s: unknown argument '%s'\n", program_, arguments_[i]);
    std::exit(2);
  }
}

}  // namespace mmt::workloads

// Formatting of values with units.
#include "report/units.h"

#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace mmt::report {
namespace {

std::string format_seconds(double seconds) {
  const double size = std::fabs(seconds);
  if (size == 0) return "0 s";
  if (size < 0.9995e-6) return format_number(seconds * 1e9) + " ns";
  if (size < 0.9995e-3) return format_number(seconds * 1e6) + " us";
  if (size < 0.9995) return format_number(seconds * 1e3) + " ms";
  return format_number(seconds) + " s";
}

}  // namespace

std::string format_number(double value) {
  if (std::isnan(value)) return "-";
  const double size = std::fabs(value);
  if (size == 0) return "0";
  if (size < 0.9995) {
    // Three significant digits, but never more than six decimals.
    const int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
    return fmt::format("{:.{}f}", value, decimals > 6 ? 6 : decimals);
  }
  if (size < 9.995) return fmt::format("{:.2f}", value);
  if (size < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

std::string format_count(std::uint64_t value) {
  const std::string digits = fmt::format("{}", value);
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return format_count(count) + " " + (count == 1 ? one : many);
}

std::string format_bytes(double bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (std::fabs(bytes) >= 1023.5 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f} B", bytes);
  return format_number(bytes) + " " + kUnits[unit];
}

std::string format_value(double value, std::string_view unit) {
  if (std::isnan(value)) return "-";
  if (unit == "s") return format_seconds(value);
  if (unit == "ms") return format_seconds(value * 1e-3);
  if (unit == "us") return format_seconds(value * 1e-6);
  if (unit == "ns") return format_seconds(value * 1e-9);
  if (unit == "bytes") return format_bytes(value);
  const bool whole = value >= 0 && value < 1e15 && value == std::floor(value);
  const std::string number =
      whole ? format_count(static_cast<std::uint64_t>(value)) : format_number(value);
  if (unit == "count" || unit == "flag" || unit.empty()) return number;
  return number + " " + std::string(unit);
}

bool higher_is_better(std::string_view unit) { return unit.ends_with("/s"); }

}  // namespace mmt::report

// Values with units as people read them: "1.53 s", "12.3 MiB", "252 ns", "1,234".
//
// Units are the words used in reports and by workloads: s, ms, us, ns, bytes, count, flag, and
// rates, which end in "/s". An unknown unit is printed after the number as it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mmt::report {

// Three significant digits, without an exponent: 0.0123, 1.53, 15.3, 153, 1534.
std::string format_number(double value);

// 1234567 -> "1,234,567".
std::string format_count(std::uint64_t value);

// 1234, "block", "blocks" -> "1,234 blocks".
std::string counted(std::uint64_t count, const std::string& one, const std::string& many);

// 1536 -> "1.50 KiB".
std::string format_bytes(double bytes);

// A number with its unit; times are scaled to the unit that keeps them readable.
std::string format_value(double value, std::string_view unit);

// True for rates such as "1/s" or "requests/s", where more is better.
bool higher_is_better(std::string_view unit);

}  // namespace mmt::report

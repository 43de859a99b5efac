// Malloc labs: four numbers (heap size, ids, operations, weight), then "a id bytes", "r id bytes",
// "f id". Some leave the numbers out. With them, a file of fewer operations was cut short.
#include <optional>
#include <string>
#include <string_view>

#include "tracefile/import/builder.h"
#include "tracefile/import/words.h"

namespace mmt::tracefile {

void import_rep(Lines& lines, Builder& to) {
  constexpr int kNumbers = 4;
  constexpr int kOperations = 2;  // their place among the numbers
  int numbers = 0;
  bool has_numbers = false;
  uint64_t told = 0, found = 0;  // operations
  std::string_view line;
  while (lines.next_ended(line)) {
    Words words(line, lines);
    const std::string_view sign = words.next();
    if (sign.empty() || sign.starts_with('#')) continue;
    const std::optional<uint64_t> number =
        numbers < kNumbers ? Words::number_of(sign, 10) : std::nullopt;
    if (number) {
      if (numbers == kOperations) told = *number;
      has_numbers = ++numbers == kNumbers;
      continue;
    }
    numbers = kNumbers;
    ++found;
    if (sign != "a" && sign != "r" && sign != "f") {
      lines.fail(quoted(sign) + " is none of a, r, f");
    }
    if (sign == "f") {
      const std::string_view id = words.next();
      if (id == "-1") continue;  // free of nothing
      const std::optional<uint64_t> number = Words::number_of(id, 10);
      if (!number) lines.fail(quoted(id) + " is no id");
      if (!to.free(*number)) lines.fail("id " + std::string(id) + " is not allocated");
      continue;
    }
    const uint64_t id = words.number("id");
    const uint64_t bytes = words.number("size");
    if (sign == "a") {
      if (to.is_live(id)) lines.fail("id " + std::to_string(id) + " is allocated already");
      to.allocate(id, {.bytes = bytes});
    } else {
      // A resize of nothing is an allocation.
      const std::optional<Object> object = to.is_live(id) ? to.take(id) : std::nullopt;
      to.resize(object, id, bytes);
    }
  }
  if (numbers != 0 && numbers < kNumbers) {
    lines.fail("it ends within its first four numbers: the file was cut short");
  }
  if (has_numbers && found < told) {
    lines.fail("it ends after " + std::to_string(found) + " of " + std::to_string(told) +
               " operations: the file was cut short");
  }
}

}  // namespace mmt::tracefile

#include "interprocess/option_table.h"

namespace mmt::options {
namespace {

size_t length(const char* text) {
  size_t size = 0;
  while (text[size] != '\0') ++size;
  return size;
}

bool same(Text one, Text other) {
  if (one.size != other.size) return false;
  for (size_t i = 0; i < one.size; ++i)
    if (one.data[i] != other.data[i]) return false;
  return true;
}

// Which of "a|b|c" it is; -1: none.
int choice(const char* choices, Text value) {
  int index = 0;
  for (const char* at = choices;; ++index) {
    const char* end = at;
    while (*end != '|' && *end != '\0') ++end;
    if (same({at, static_cast<size_t>(end - at)}, value)) return index;
    if (*end == '\0') return -1;
    at = end + 1;
  }
}

uint64_t unit_of_letter(char letter) {
  switch (letter) {
    case 'k':
    case 'K':
      return uint64_t{1} << 10;
    case 'm':
    case 'M':
      return uint64_t{1} << 20;
    case 'g':
    case 'G':
      return uint64_t{1} << 30;
    case 't':
    case 'T':
      return uint64_t{1} << 40;
    default:
      return 0;
  }
}

bool is_word(Text text, const char* word) { return same(text, {word, length(word)}); }

// What a number's suffix multiplies it by; 0: it is none. No suffix is as good as one.
uint64_t unit_of(Text suffix, Kind kind) {
  if (suffix.size == 0) return 1;
  if (kind == Kind::kMilliseconds && is_word(suffix, "ms")) return 1;
  if (kind == Kind::kMilliseconds && is_word(suffix, "s")) return 1000;
  const uint64_t unit = unit_of_letter(suffix.data[0]);
  const Text rest{suffix.data + 1, suffix.size - 1};
  if (rest.size == 0) return unit;
  return kind == Kind::kBytes && (is_word(rest, "B") || is_word(rest, "iB")) ? unit : 0;
}

// Digits with an optional minus and a suffix. Too large a number is the largest there is. False
// when malformed.
bool parse_number(Text text, Kind kind, int64_t* result) {
  size_t i = 0;
  const bool negative = text.size > 0 && text.data[0] == '-';
  if (negative) ++i;
  const size_t first_digit = i;
  int64_t value = 0;
  for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; ++i)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, text.data[i] - '0', &value))
      value = INT64_MAX;
  if (i == first_digit) return false;
  const uint64_t unit = unit_of({text.data + i, text.size - i}, kind);
  if (unit == 0) return false;
  if (__builtin_mul_overflow(value, static_cast<int64_t>(unit), &value)) value = INT64_MAX;
  *result = negative ? -value : value;
  return true;
}

bool in_range(const char* range, int64_t value) {
  const char* dots = range;
  while (dots[0] != '.') ++dots;
  int64_t low = 0;
  int64_t high = 0;
  parse_number({range, static_cast<size_t>(dots - range)}, Kind::kBytes, &low);
  parse_number({dots + 2, length(dots + 2)}, Kind::kBytes, &high);
  return value >= low && value <= high;
}

char folded(char c) { return c == '-' ? '_' : c; }

template <class Type>
void write(char* to, int64_t number) {
  const auto value = static_cast<Type>(number);
  __builtin_memcpy(to, &value, sizeof value);
}

template <class Type>
int64_t read(const char* from) {
  Type value;
  __builtin_memcpy(&value, from, sizeof value);
  return static_cast<int64_t>(value);
}

}  // namespace

void Field::store(void* to, const Value& value) const {
  char* const at = static_cast<char*>(to) + offset;
  const int64_t number =
      value.text != nullptr ? reinterpret_cast<int64_t>(value.text) : value.number;
  if (size == 1) {
    write<uint8_t>(at, number);
  } else if (size == 4) {
    write<uint32_t>(at, number);
  } else {
    write<int64_t>(at, number);
  }
}

Value Field::load(const void* from) const {
  const char* const at = static_cast<const char*>(from) + offset;
  const int64_t number = size == 1   ? read<uint8_t>(at)
                         : size == 4 ? read<uint32_t>(at)
                                     : read<int64_t>(at);
  return {number, reinterpret_cast<const char*>(number)};
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kSwitch:
      return "bool";
    case Kind::kChoice:
      return "enum";
    case Kind::kBytes:
      return "bytes";
    case Kind::kMilliseconds:
      return "ms";
    case Kind::kPath:
      return "path";
    case Kind::kCpu:
      return "cpu";
    case Kind::kCount:
      break;
  }
  return "count";
}

const Row* find(Table table, Text name) {
  for (const Row& row : table) {
    size_t i = 0;
    while (i < name.size && row.name[i] != '\0' && folded(name.data[i]) == row.name[i]) ++i;
    if (i == name.size && row.name[i] == '\0') return &row;
  }
  return nullptr;
}

const char* parse(const Row& row, Text text, Value* value) {
  *value = {0, nullptr};
  switch (row.kind) {
    case Kind::kPath:
      return text.size == 0 ? "empty path" : nullptr;
    case Kind::kSwitch: {
      const int word = choice("off|on|0|1|false|true|no|yes", text);
      value->number = word & 1;
      return word < 0 ? "not one of on|off" : nullptr;
    }
    case Kind::kChoice:
      value->number = choice(row.values, text);
      return value->number < 0 ? "not one of its values" : nullptr;
    default:
      if (!parse_number(text, row.kind, &value->number)) return "not a whole number";
      return in_range(row.values, value->number) ? nullptr : "out of range";
  }
}

}  // namespace mmt::options

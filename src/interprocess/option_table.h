#pragma once
// Tables of options: one row an option, from which the libraries read the environment, and the
// command checks, lists and completes. Nothing here allocates, prints, or calls what can be
// interposed.
#include <cstddef>
#include <cstdint>

#include "core/text.h"

namespace mmt::options {

enum class Kind : uint8_t { kSwitch, kChoice, kBytes, kMilliseconds, kCount, kPath, kCpu };

// "bool", "enum", "bytes", "ms", "count", "path", "cpu".
const char* kind_name(Kind kind);

using core::Text;

// A value that an option was set to. The value of a switch is 0 or 1, and that of a choice is which
// of them. The value of a path is its text, which a zero ends.
struct Value {
  int64_t number;
  const char* text;
};

// A member of the struct that a table fills: field(offsetof(Options, cpu), sizeof(Options::cpu)).
// No function of its type: what allocates may call none through a pointer.
struct Field {
  size_t offset;
  size_t size;  // of 1, 4 or 8 bytes: a switch, an enum, a number, a path

  void store(void* to, const Value& value) const;
  // `text` means something where the row is of a path.
  Value load(const void* from) const;
};

constexpr Field field(size_t offset, size_t size) { return {offset, size}; }

struct Row {
  const char* name;   // words joined by '_'
  const char* owner;  // whom it is for, where a table serves several; "": all
  Kind kind;
  const char* def;     // the default; nullptr: what the field is initialised with
  const char* values;  // "auto|on|off" in the order of the field's values; of a number "0..1T"
  Field field;
  const char* help;
};

struct Table {
  const Row* rows;
  size_t count;
  const Row* begin() const { return rows; }
  const Row* end() const { return rows + count; }
};

// nullptr: there is none. '-' is as good as '_'.
const Row* find(Table table, Text name);

// Whether it is a value for the option, and what it means. The result is nullptr if it is, and
// `value` is set, but for a path's text. Else the result is a static text that says what is wrong.
// Numbers may end in K, M, G or T, powers of 1024. Sizes may end in KB or KiB and so on as well,
// and times in ms or s.
const char* parse(const Row& row, Text text, Value* value);

}  // namespace mmt::options

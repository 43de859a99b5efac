// A report of the hardened heap (harden/report.cpp): a fault, and the calls that have to do with
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/symbol_files.h"

namespace mmt::cli {

struct FaultKind {
  const char* name;  // "double-free"
  const char* help;
};

// In the order of harden/finding.h.
std::span<const FaultKind> fault_kinds();
// nullopt: there is no such kind.
std::optional<std::size_t> index_of_kind(std::string_view name);

// Where code lies.
struct CodePlace {
  std::uint64_t address = 0;
  std::string module;          // a path; "": it lies in no file
  std::uint64_t offset = 0;    // from the module's first page in memory
  tracing::SymbolPlace names;  // nothing until they are looked up
};

// A report tells three places. Where whole stacks were kept, it tells the calls around them, too.
enum class Role : std::uint8_t { kFound, kAllocated, kFreed };
inline constexpr Role kRoles[] = {Role::kFound, Role::kAllocated, Role::kFreed};

struct HeapReport {
  std::size_t kind = 0;  // in fault_kinds()
  std::string text;      // what exactly
  std::optional<std::uint64_t> process = {};
  std::optional<std::uint64_t> thread = {};
  std::optional<std::uint64_t> block = {};  // its address
  std::optional<std::uint64_t> bytes = {};  // that the program asked for
  std::optional<std::uint64_t> at = {};     // what was passed, or the first byte that was written
  std::optional<std::uint64_t> told = {};   // by the call, where that is the fault
  std::string allocated_as = {};            // the names, where they do not fit
  std::string freed_as = {};
  std::array<std::vector<CodePlace>, 3> stacks = {};  // by Role, the innermost first
  bool is_found_by_look = false;                      // by no call of the program's
  // At most so many milliseconds.
  std::optional<std::uint64_t> allocated_ms_ago = {};
  std::optional<std::uint64_t> freed_ms_ago = {};
  std::optional<std::uint64_t> late_ms = {};

  const char* kind_name() const { return fault_kinds()[kind].name; }
  std::vector<CodePlace>& stack(Role role) { return stacks[static_cast<std::size_t>(role)]; }
  const std::vector<CodePlace>& stack(Role role) const {
    return stacks[static_cast<std::size_t>(role)];
  }
  // nullptr: none is known.
  const CodePlace* place(Role role) const {
    return stack(role).empty() ? nullptr : &stack(role).front();
  }
  bool has_times() const { return allocated_ms_ago || freed_ms_ago || late_ms; }
  // Frames are where calls return to, but for an instruction that was caught as it ran.
  bool is_call(Role role, std::size_t frame) const;
};

// "block 0x7f00 of 24 bytes: freed already".
std::string message_of(const HeapReport& report);
// "found by main (m.c:3) m+0x1154", with `width` characters for the first words. What is not known
// of a place is left out. Fit to be shown, as all of these.
std::string line_of(const HeapReport& report, Role role, std::size_t width = 0);
// The same of a frame around the first: "at main (m.c:9) m+0x1190".
std::string outer_line_of(const HeapReport& report, Role role, std::size_t frame,
                          std::size_t width = 0);
// "allocated 1250 ms ago at most, found 31 ms late at most".
std::string times_of(const HeapReport& report);

}  // namespace mmt::cli

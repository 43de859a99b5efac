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
  std::array<std::optional<CodePlace>, 3> places = {};  // by Role
  bool is_found_by_look = false;                        // by no call of the program's

  const char* kind_name() const { return fault_kinds()[kind].name; }
  std::optional<CodePlace>& place(Role role) { return places[static_cast<std::size_t>(role)]; }
  const std::optional<CodePlace>& place(Role role) const {
    return places[static_cast<std::size_t>(role)];
  }
  // Places are where calls return to, but for an instruction that was caught as it wrote.
  bool is_call(Role role) const;
};

// "block 0x7f00 of 24 bytes: freed already".
std::string message_of(const HeapReport& report);
// "found by main (m.c:3) m+0x1154", with `width` characters for the first words. What is not known
// of a place is left out. Fit to be shown, as both.
std::string line_of(const HeapReport& report, Role role, std::size_t width = 0);

}  // namespace mmt::cli

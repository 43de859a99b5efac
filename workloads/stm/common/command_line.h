// What the programs here share of their command lines and of their answers.
#pragma once

#include <initializer_list>
#include <string_view>

#include <mmt/stm/options.h>
#include <mmt/stm/statistics.h>

#include "common/flags.h"

namespace mmt::workloads::stm {

// One of `names`, which go by the values of the enumeration.
template <class Enum>
Enum choice(Flags& flags, std::string_view flag, std::initializer_list<std::string_view> names) {
  const std::string_view chosen = flags.text(flag, *names.begin(), names);
  unsigned at = 0;
  for (std::string_view name : names) {
    if (name == chosen) break;
    ++at;
  }
  return static_cast<Enum>(at);
}

// When doomed attempts look what they read, where nothing says otherwise.
inline constexpr unsigned kValidateEvery = 10'000;

// The transactional memory that the flags ask for. --setting names a choice of privatization,
// reclamation and validation: `safe` is ours, `tinystm` the paper's, and `epochs` is as that with
// blocks that wait. Flags for one of these override it.
// `free_locks_all` is the default of --free-locks.
// What is out of range ends the program with status 2.
mmt::stm::Options options_of(Flags& flags, const char* program, bool free_locks_all);

const char* name_of(mmt::stm::Cause cause);

// JSON, after other members: how the memory privatizes and reclaims, and what happened in it.
void print_options(const mmt::stm::Options& of);
void print_statistics(const mmt::stm::Statistics& of);

}  // namespace mmt::workloads::stm

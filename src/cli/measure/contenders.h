// The allocators that take part in a benchmark, and the proof that each really serves its programs.
#pragma once

#include <string>
#include <vector>

#include "cli/program/process_maps.h"
#include "report/bench_result.h"

namespace mmt::cli {

struct Contenders {
  std::vector<report::BenchAllocator> present;
  std::vector<report::Missing> missing;
};

// Chooses from a list: names of `mmt list allocators`; "mmt:option=value:..." for MMT with options;
// "name=/path/lib.so" for any other library. An empty list means glibc, MMT and the usual peers, of
// which those not installed end in `missing`. Throws a Failure naming what is unknown or, when it
// was asked for by name, not installed.
Contenders choose_contenders(const std::vector<std::string>& list);

// The environment of a program under an allocator: the current one without other preloads, then
// `extra` ("NAME=value"), then what the allocator needs, and `before`, a library to load before its
// own.
std::vector<std::string> environment_for(const report::BenchAllocator& allocator,
                                         const std::vector<std::string>& extra,
                                         const std::string& before = "");

// Runs a program that tells which file serves its malloc, and stores it in `malloc_from`. Throws a
// Failure when it is not the allocator's.
void prove_loaded(report::BenchAllocator& allocator, const std::string& temporary_folder);

// Empty when the files mapped into a program agree with the allocator it should run on, else what
// is wrong.
std::string disagreement(const report::BenchAllocator& allocator,
                         const std::vector<MappedFile>& files);

}  // namespace mmt::cli

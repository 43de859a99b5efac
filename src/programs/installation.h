// Knows where the parts of MMT are, seen from the running `mmt`. They are installed below a prefix
// or in a build tree. There bin/ and lib/ lie side by side, workloads beside them, and suites in
// the source tree.
#pragma once

#include <string>

namespace mmt::programs {

// Full path of libmmt.so: $MMT_LIBRARY, else ../lib/libmmt.so beside this program. Throws a Failure
// with `status` naming the path when it cannot be read.
std::string library_path(int status);

// The same without a failure: the path where the library ought to be.
std::string expected_library_path();

// Full path of another library of the installation or build, by its file name. Throws a Failure
// with `status` when it cannot be used.
std::string library_beside(const std::string& file, int status);

// The same of libmmt-harden.so, which lies beside libmmt.so.
std::string expected_hardened_path();
std::string hardened_path(int status);
// And of libmmt-guard.so.
std::string expected_guarding_path();
std::string guarding_path(int status);

// Folder of the suites of `mmt bench`: $MMT_BENCH_SUITES, else that of the installation or sources.
std::string suites_folder();

// Folder of the scripts that benchmark programs interpret, beside that of the suites.
std::string scripts_folder();

// Folder of the laboratory: $MMT_LAB, else that of the installation or sources.
std::string lab_folder();

// The laboratory's Python: $MMT_LAB_PYTHON, else in a build tree the virtual environment that
// tools/install_pypi.sh has made there. Else it is the system's own, for which Debian's packages
// are.
std::string python_path();

// Folder of the sources, if this is a build tree; else one that means nothing.
std::string sources_folder();

// Folder of libmmt.so and the other libraries.
std::string libraries_folder();

// Folder of the benchmark programs: $MMT_BENCH_WORKLOADS, else that of the installation or build.
std::string workloads_folder();

// What makes a part of MMT that is not there, as words behind an error: " ('make' makes it)". Empty
// where it is there, and outside of build trees.
std::string remedy_for(const std::string& path);

// Path of the running program itself.
std::string own_path();

}  // namespace mmt::programs

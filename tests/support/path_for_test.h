// A file for one test alone: ctest runs the tests of one program side by side.
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace mmt {

// In the folder for temporary files; named after the running test and `name`. Nothing is created.
inline std::string path_for_test(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string file = std::string(test->test_suite_name()) + "." + test->name() + "." + name;
  std::ranges::replace(file, '/', '.');  // of tests with parameters
  return testing::TempDir() + file;
}

}  // namespace mmt

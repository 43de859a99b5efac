// What a control group's limit means for the memory thread.
#include <gtest/gtest.h>

#include <mmt/sys/limits.h>

#include "cli/machine/findings.h"

namespace mmt::cli {
namespace {

TEST(TasksLeft, KeepTheMemoryThreadAwayWhenTheyAreFew) {
  const Finding few = finding_of_tasks_left(sys::kTasksForTheProgram - 1);
  EXPECT_EQ(few.value, "63 left");
  EXPECT_EQ(few.verdict, Verdict::kBad);
  EXPECT_NE(few.meaning.find("no memory thread"), std::string::npos);
  EXPECT_EQ(finding_of_tasks_left(sys::kTasksForTheProgram).verdict, Verdict::kGood);
  EXPECT_EQ(finding_of_tasks_left(sys::kNoTaskLimit).value, "unlimited");
}

}  // namespace
}  // namespace mmt::cli

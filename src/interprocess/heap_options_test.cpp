// Options: defaults, every kind of value, and the complaint about each kind of mistake.
#include "interprocess/heap_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "interprocess/variables.h"

extern char** environ;

namespace mmt::heap {
namespace {

// The environment holds what a test sets, nothing else of ours.
class OptionsTest : public ::testing::Test {
 protected:
  OptionsTest() {
    for (char** e = environ; *e != nullptr;)
      if (strncmp(*e, "MMT_", 4) == 0)
        unsetenv(std::string(*e, strcspn(*e, "=")).c_str());
      else
        ++e;
  }

  Options read() {
    Options options;
    testing::internal::CaptureStderr();
    read_options(&options);
    complaint = testing::internal::GetCapturedStderr();
    return options;
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }

  std::string complaint;
};

TEST_F(OptionsTest, TableIsWellFormed) {
  std::set<std::string> names;
  ASSERT_GT(option_table().count, 0u);
  for (const options::Row& row : option_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    EXPECT_GT(strlen(row.help), 10u);
    if (*row.def != '\0') {
      EXPECT_EQ(check_option(row.name, row.def), nullptr) << row.name;
    }
  }
}

TEST_F(OptionsTest, ChecksValuesByKind) {
  EXPECT_EQ(check_option("server", "auto"), nullptr);
  EXPECT_NE(check_option("server", "aut"), nullptr);
  EXPECT_NE(check_option("server", "auto|on"), nullptr);
  EXPECT_NE(check_option("server", ""), nullptr);
  EXPECT_EQ(check_option("quiet", "yes"), nullptr);
  EXPECT_NE(check_option("quiet", "maybe"), nullptr);
  EXPECT_EQ(check_option("start", "16M"), nullptr);
  EXPECT_EQ(check_option("start", "16k"), nullptr);
  EXPECT_EQ(check_option("nice", "-20"), nullptr);
  EXPECT_NE(check_option("nice", "-21"), nullptr);
  EXPECT_NE(check_option("stats", ""), nullptr);
  EXPECT_NE(check_option("nonsense", "1"), nullptr);
  for (const char* wrong : {"", "M", "-", "1MM", "1 M", "0x10", "1.5", "-1", "2T",
                            "99999999999999999999", "9223372036854775807T"})
    EXPECT_NE(check_option("start", wrong), nullptr) << wrong;
}

TEST_F(OptionsTest, DefaultsWithoutEnvironment) {
  const Options options = read();
  EXPECT_EQ(options.server, Switch::kAuto);
  EXPECT_TRUE(options.follow);
  EXPECT_FALSE(options.quiet);
  EXPECT_EQ(options.stats_path, nullptr);
  EXPECT_EQ(complaint, "");
}

TEST_F(OptionsTest, ReadsListsAndSingleVariables) {
  set("MMT_OPTIONS", "server=off:start=2M::quiet=on");
  set("MMT_START", "3M");
  set("MMT_FOLLOW", "off");
  const Options options = read();
  EXPECT_EQ(options.server, Switch::kOff);
  EXPECT_EQ(options.start_bytes, uint64_t{3} << 20) << "the single variable wins";
  EXPECT_TRUE(options.quiet);
  EXPECT_FALSE(options.follow);
  EXPECT_EQ(complaint, "");
}

TEST_F(OptionsTest, PathTakesTheRestOfTheList) {
  set("MMT_OPTIONS", "server=off:stats=/tmp/a:b=c");
  const Options options = read();
  EXPECT_STREQ(options.stats_path, "/tmp/a:b=c");
  EXPECT_EQ(complaint, "");
}

TEST_F(OptionsTest, PathEndsWhereAnotherOptionFollows) {
  set("MMT_OPTIONS", "stats=-:decay=5");
  Options options = read();
  EXPECT_STREQ(options.stats_path, "-");
  EXPECT_EQ(options.decay_ms, 5u);
  set("MMT_OPTIONS", "stats=/tmp/a:b:huge-pages=off:stats=/x:y");
  options = read();
  EXPECT_STREQ(options.stats_path, "/x:y");
  EXPECT_EQ(options.huge_pages, Switch::kOff);
  EXPECT_EQ(complaint, "");
}

TEST_F(OptionsTest, PathThatIsTooLongIsNamed) {
  set("MMT_OPTIONS", ("stats=/" + std::string(5000, 'x') + ":decay=5").c_str());
  const Options options = read();
  EXPECT_EQ(options.stats_path, nullptr);
  EXPECT_EQ(options.decay_ms, 5u);
  EXPECT_NE(complaint.find("stats=/xxx"), std::string::npos) << complaint;
}

TEST_F(OptionsTest, WrongOnesAreNamedAndIgnored) {
  set("MMT_OPTIONS", "server=offf:wibble=1:start=5M");
  set("MMT_DECAY", "soon");
  const Options options = read();
  EXPECT_EQ(options.server, Switch::kAuto);
  EXPECT_EQ(options.start_bytes, uint64_t{5} << 20);
  for (const char* part : {"server=offf", "wibble", "MMT_DECAY=soon", "milliseconds"})
    EXPECT_NE(complaint.find(part), std::string::npos) << part << " in: " << complaint;
}

TEST_F(OptionsTest, QuietHoldsForComplaintsTooWhereverItStands) {
  set("MMT_OPTIONS", "server=offf");
  set("MMT_QUIET", "on");
  read();
  EXPECT_EQ(complaint, "");
}

// As execve takes them: what follows in memory is another variable.
TEST_F(OptionsTest, VariableWithoutEqualsSignIsNone) {
  char bare[] = "MMT_STATS\0not-a-path";
  char* variables[] = {bare, nullptr};
  char** const before = environ;
  environ = variables;
  const Options options = read();
  environ = before;
  EXPECT_EQ(options.stats_path, nullptr);
  EXPECT_EQ(complaint, "");
}

TEST_F(OptionsTest, OtherVariablesAreNoOptions) {
  for (const options::Variable& one : options::variables()) {
    if (strncmp(one.name, "MMT_", 4) != 0 || strcmp(one.name, "MMT_OPTIONS") == 0) continue;
    set(one.name, "x");
    read();
    EXPECT_EQ(complaint, "");
    unsetenv(one.name);
    std::string name = one.name + 4;
    for (char& c : name) c = static_cast<char>(tolower(c));
    EXPECT_NE(check_option(name.c_str(), "1"), nullptr) << "an option has the name " << name;
  }
}

TEST_F(OptionsTest, NearNamesAndValuesAreSuggested) {
  const struct {
    const char* variable;
    const char* value;
    const char* line;
  } cases[] = {
      {"MMT_HUGE_PAGESS", "on",
       "mmt: MMT_HUGE_PAGESS: unknown option; ignored; did you mean 'MMT_HUGE_PAGES'?\n"},
      {"MMT_LIBRARI", "x",
       "mmt: MMT_LIBRARI: unknown option; ignored; did you mean 'MMT_LIBRARY'?\n"},
      {"MMT_OPTIONS", "huge-pagess=on",
       "mmt: MMT_OPTIONS: huge-pagess: unknown option; ignored; did you mean 'huge_pages'?\n"},
      {"MMT_SERVER", "offf",
       "mmt: MMT_SERVER=offf: not one of its values (auto|on|off); ignored; did you mean 'off'?\n"},
      {"MMT_PREFAULT", "onn",
       "mmt: MMT_PREFAULT=onn: not one of on|off (on|off); ignored; did you mean 'on'?\n"},
      {"MMT_DECAY", "0..3600001",
       "mmt: MMT_DECAY=0..3600001: not a whole number (0..3600000 milliseconds); ignored, see 'mmt "
       "list options'\n"},
      {"MMT_WIBBLE", "1", "mmt: MMT_WIBBLE: unknown option; ignored, see 'mmt list options'\n"},
  };
  for (const auto& one : cases) {
    set(one.variable, one.value);
    read();
    EXPECT_EQ(complaint, one.line);
    unsetenv(one.variable);
  }
}

}  // namespace
}  // namespace mmt::heap

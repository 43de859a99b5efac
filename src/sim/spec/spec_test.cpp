// Names go both ways, and errors name key and value.
#include "sim/spec/spec.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "sim/spec/names.h"

namespace mmt::sim {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_spec(text);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

TEST(Spec, EveryModelIsItsOwnCanonicalName) {
  std::set<std::string> seen;
  for (const NamedModel& one : known_models()) {
    EXPECT_EQ(canonical(parse_spec(one.name)), one.name);
    EXPECT_FALSE(one.help.empty());
    EXPECT_TRUE(seen.insert(one.name).second) << one.name;
  }
  for (const std::string& one : paper_twelve()) EXPECT_TRUE(seen.contains(one)) << one;
}

TEST(Spec, EveryValueOfEveryKeyGoesBothWays) {
  for (const NamedModel& model : known_models()) {
    for (const Key& key : keys()) {
      if (!key.is_for(parse_spec(model.name))) continue;
      for (const std::string_view value : key.values) {
        const std::string text =
            model.name + ":" + std::string(key.name) + "=" + std::string(value);
        if (!error_of(text).empty()) {
          EXPECT_NE(error_of(text).find(text), std::string::npos);
          continue;
        }
        const Spec spec = parse_spec(text);
        EXPECT_EQ(key.values[key.get(spec)], value) << text;
        EXPECT_EQ(parse_spec(canonical(spec)), spec) << text;
      }
    }
  }
}

TEST(Spec, ThePapersMachineIsOneWord) {
  const Spec spec = parse_spec("sbt-ff:word=32,header=none,align=4,growth=4096,balance=none");
  EXPECT_EQ(spec, parse_spec("sbt-ff:paper,growth=4096"));
  EXPECT_EQ(canonical(spec), "sbt-ff:paper,growth=4096");
  EXPECT_EQ(spec.word, 32U);
  EXPECT_EQ(spec.header, Header::kNone);
}

// A tree's default is not the listing's, which many a program makes a list of.
TEST(Spec, TreesAreBalancedUnlessTheyAreThePapers) {
  EXPECT_EQ(parse_spec("abt-ffwc").balance, Balance::kScapegoat);
  EXPECT_EQ(parse_spec("abt-ffwc:paper").balance, Balance::kNone);
  EXPECT_EQ(canonical(parse_spec("abt-ffwc:balance=none")), "abt-ffwc:balance=none");
  EXPECT_EQ(canonical(parse_spec("abt-ffwc:balance=scapegoat")), "abt-ffwc");
  EXPECT_EQ(canonical(parse_spec("abt-ffwc:paper,balance=scapegoat")),
            "abt-ffwc:paper,balance=scapegoat");
  EXPECT_EQ(canonical(parse_spec("sqf-ff:word=32,header=none,align=4")), "sqf-ff:paper");
}

TEST(Spec, BetterFitIsTheTreesAndBestFitTheLists) {
  EXPECT_EQ(parse_spec("abt-bf").fit, Fit::kBetter);
  EXPECT_EQ(parse_spec("abt-best").fit, Fit::kBest);
  EXPECT_EQ(parse_spec("sqf-bf").fit, Fit::kBest);
  EXPECT_EQ(canonical(parse_spec("sqf-best")), "sqf-bf");
  EXPECT_TRUE(parse_spec("sqf-bfwc").coalescing);
  EXPECT_FALSE(parse_spec("sss").coalescing);
}

TEST(Spec, ErrorsNameKeyAndValue) {
  EXPECT_EQ(error_of("abt-xx"), "allocator 'abt-xx': there is no model 'abt-xx'");
  EXPECT_EQ(error_of("abt-ff:balanc=treap"),
            "allocator 'abt-ff:balanc=treap': there is no key 'balanc'");
  EXPECT_EQ(error_of("abt-ff:balance=trep"),
            "allocator 'abt-ff:balance=trep': balance has no value 'trep' (it takes none, "
            "periodic, scapegoat, weight, treap)");
  EXPECT_EQ(error_of("sqf-ff:balance=treap"),
            "allocator 'sqf-ff:balance=treap': its model has no 'balance'");
  EXPECT_EQ(error_of("buddy:align=24"),
            "allocator 'buddy:align=24': align=24: has to be a power of two from 4 to 4096");
  EXPECT_NE(error_of("buddy:align=4"), "");  // less than a word of 64 bits
  EXPECT_NE(error_of("buddy:growth=x"), "");
  EXPECT_NE(error_of("buddy:"), "");
  EXPECT_NE(error_of("buddy:align"), "");
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("sbt-ff:classes=tags"), "");
}

TEST(Spec, AnErrorKnowsWhatCouldStandThere) {
  try {
    parse_spec("abt-ff:balance=trep");
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_EQ(error.word(), "trep");
    EXPECT_EQ(error.known().back(), "treap");
  }
}

}  // namespace
TEST(Spec, KeysSayWhichModelsTheyAreFor) {
  const auto help_of = [](const std::string& start) {
    for (const NamedModel& one : known_keys()) {
      if (one.name.starts_with(start)) return one.help;
    }
    return std::string();
  };
  EXPECT_TRUE(help_of("lists=").ends_with("; for sgf"));
  EXPECT_TRUE(help_of("steps=").ends_with("; for sss"));
  EXPECT_TRUE(help_of("better=").ends_with("; for abt, sbt"));
  EXPECT_TRUE(help_of("split=").ends_with("; for sqf, sgf, abt, sbt, cartesian"));
  EXPECT_TRUE(help_of("word=").ends_with("node"));
}

}  // namespace mmt::sim

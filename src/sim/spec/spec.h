// Names of placement policies, one grammar for models and mallocs:
//
//   - sqf-ff, sgf-bfwc, abt-bf, sbt-ffwc   family, fit, and "wc" for coalescing
//   - sss, cartesian, buddy, double-buddy, tlsf, bump
//   - abt-ffwc:balance=treap,node=compact  what differs from the defaults
//   - sbt-ff:paper                         short for word=32,header=none,align=4,balance=none
//
// In trees "bf" is the paper's better fit, and "best" best fit; in lists both are best fit.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mmt/layers/fit/fit.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/fit/segregated_fit.h>
#include <mmt/layers/fit/sequential_fit.h>
#include <mmt/layers/fit/split.h>
#include <mmt/layers/fit/tree/options.h>

namespace mmt::sim {

using layers::fit::Classes;
using layers::fit::Fit;
using layers::fit::Header;
using layers::fit::ListClasses;
using layers::fit::ListOrder;
using layers::fit::SplitEnd;

enum class Family : uint8_t {
  kSequential,
  kSegregated,
  kAddressTree,
  kSegregatedTree,
  kSimpleSegregated,
  kCartesian,
  kBuddy,
  kDoubleBuddy,
  kTlsf,
  kBump,
};

enum class Balance : uint8_t { kNone, kPeriodic, kScapegoat, kWeight, kTreap };
enum class Node : uint8_t { kPaper, kCompact };

// `word` is in bits, 32 or 64. `align` and `growth` are bytes: powers of two from 4 to 4096, and
// from 4096 to 2^30. `trees` is 8 or 9. `steps`, the size classes a doubling, is 1, 2 or 4.
// parse_spec() gives no other values.
struct Spec {
  Family family = Family::kSequential;
  Fit fit = Fit::kFirst;
  bool coalescing = false;
  unsigned word = 64;
  Header header = Header::kWord;
  size_t align = 16;
  size_t growth = layers::fit::kPaperGrowth;
  ListOrder order = ListOrder::kLifo;
  Balance balance = Balance::kScapegoat;
  Node node = Node::kPaper;
  Classes classes = Classes::kLocal;
  unsigned trees = 8;
  bool remembers = false;
  SplitEnd split = SplitEnd::kHigh;
  ListClasses lists = ListClasses::kLea;
  unsigned steps = 1;

  auto operator<=>(const Spec&) const = default;
};

// What is wrong with a name. `word` is the part that nothing is called; `known` what could stand
// there, so that whoever tells a person can ask what was meant.
class SpecError : public std::runtime_error {
 public:
  SpecError(const std::string& text, std::string word, std::vector<std::string> known)
      : std::runtime_error(text), word_(std::move(word)), known_(std::move(known)) {}
  const std::string& word() const { return word_; }
  const std::vector<std::string>& known() const { return known_; }

 private:
  std::string word_;
  std::vector<std::string> known_;
};

// Throws a SpecError.
Spec parse_spec(std::string_view text);

// The shortest name of it, the same for all that are equal.
std::string canonical(const Spec& spec);

// What it is made of, by the keys of the grammar; and "family", "fit", "coalescing".
std::vector<std::pair<std::string, std::string>> factors(const Spec& spec);

struct NamedModel {
  std::string name;
  std::string help;
};

// Families with their fits, and what stands behind the colon; in the order of the help.
std::vector<NamedModel> known_models();
std::vector<NamedModel> known_keys();

// The twelve that the paper compares.
const std::vector<std::string>& paper_twelve();

}  // namespace mmt::sim

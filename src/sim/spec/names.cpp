#include "sim/spec/names.h"

#include <bit>

namespace mmt::sim {
namespace {

const char* fault_of_align(uint64_t value) {
  return std::has_single_bit(value) && value >= 4 && value <= 4096
             ? nullptr
             : "a power of two from 4 to 4096";
}
const char* fault_of_growth(uint64_t value) {
  return std::has_single_bit(value) && value >= 4096 && value <= uint64_t{1} << 30
             ? nullptr
             : "a power of two from 4096 to 1073741824";
}
const char* no_fault(uint64_t) { return nullptr; }

bool any(const Spec&) { return true; }
bool has_balance(const Spec& spec) {
  return spec.family == Family::kAddressTree || spec.family == Family::kSegregatedTree;
}
bool is_better_fit(const Spec& spec) { return has_balance(spec) && spec.fit == Fit::kBetter; }
bool is_cartesian(const Spec& spec) { return spec.family == Family::kCartesian; }
bool has_split(const Spec& spec) {
  return has_balance(spec) || is_cartesian(spec) || spec.family == Family::kSequential ||
         spec.family == Family::kSegregated;
}
bool has_order(const Spec& spec) { return spec.family == Family::kSequential; }
bool has_lists(const Spec& spec) { return spec.family == Family::kSegregated; }
bool has_steps(const Spec& spec) { return spec.family == Family::kSimpleSegregated; }
bool has_classes(const Spec& spec) { return spec.family == Family::kSegregatedTree; }

constexpr Fit kCartesianFits[] = {Fit::kFirst, Fit::kBetter, Fit::kWorst};

template <class Choice>
constexpr uint64_t place(Choice value) {
  return static_cast<uint64_t>(value);
}

}  // namespace

const std::vector<FamilyName>& family_names() {
  static const std::vector<std::pair<std::string_view, Fit>> in_lists{{"ff", Fit::kFirst},
                                                                      {"bf", Fit::kBest},
                                                                      {"best", Fit::kBest},
                                                                      {"nf", Fit::kNext},
                                                                      {"wf", Fit::kWorst}};
  static const std::vector<std::pair<std::string_view, Fit>> in_trees{{"ff", Fit::kFirst},
                                                                      {"bf", Fit::kBetter},
                                                                      {"best", Fit::kBest},
                                                                      {"nf", Fit::kNext},
                                                                      {"wf", Fit::kWorst}};
  static const std::vector<FamilyName> all{
      {Family::kSequential, "sqf", "sequential fit: one list of free chunks", in_lists},
      {Family::kSegregated, "sgf", "segregated fit: a list a size class", in_lists},
      {Family::kAddressTree, "abt",
       "a rebalanced binary tree of free chunks by address (the paper's: balance=none)", in_trees,
       true},
      {Family::kSegregatedTree, "sbt",
       "a rebalanced tree by address a size class (the paper's: balance=none)", in_trees, true},
      {Family::kSimpleSegregated,
       "sss",
       "simple segregated storage: a list a size, no splits, no coalescing",
       {}},
      {Family::kCartesian,
       "cartesian",
       "a tree by address whose sizes fall from the root: leftmost fit, coalescing",
       {},
       true},
      {Family::kBuddy, "buddy", "binary buddies", {}},
      {Family::kDoubleBuddy, "double-buddy", "buddies of 2^k and of 3*2^k bytes", {}},
      {Family::kTlsf, "tlsf", "two-level segregated fit, in constant time", {}},
      {Family::kBump, "bump", "never uses memory again: what the others save", {}},
  };
  return all;
}

const FamilyName& name_of(Family family) {
  for (const FamilyName& one : family_names()) {
    if (one.family == family) return one;
  }
  return family_names().front();
}

bool is_tree(Family family) { return name_of(family).is_tree; }

const std::vector<Key>& keys() {
  static const std::vector<Key> all{
      {"word",
       "bits of a field of a node",
       {"32", "64"},
       [](const Spec& spec) { return place(spec.word == 64); },
       [](Spec& spec, uint64_t value) { spec.word = value == 0 ? 32 : 64; },
       any,
       no_fault},
      {"header",
       "a word before each block tells its size, or none: the owner knows it",
       {"word", "none"},
       [](const Spec& spec) { return place(spec.header); },
       [](Spec& spec, uint64_t value) { spec.header = static_cast<Header>(value); },
       any,
       no_fault},
      {"align",
       "bytes; blocks are aligned to it and chunks a multiple of it",
       {},
       [](const Spec& spec) { return uint64_t{spec.align}; },
       [](Spec& spec, uint64_t value) { spec.align = value; },
       any,
       fault_of_align},
      {"growth",
       "bytes by which the heap grows",
       {},
       [](const Spec& spec) { return uint64_t{spec.growth}; },
       [](Spec& spec, uint64_t value) { spec.growth = value; },
       any,
       fault_of_growth},
      {"order",
       "of the list: the last freed first, or by address",
       {"lifo", "address"},
       [](const Spec& spec) { return place(spec.order); },
       [](Spec& spec, uint64_t value) { spec.order = static_cast<ListOrder>(value); },
       has_order,
       no_fault},
      {"balance",
       "how the trees are kept from degenerating; none: the paper's trees",
       {"none", "periodic", "scapegoat", "weight", "treap"},
       [](const Spec& spec) { return place(spec.balance); },
       [](Spec& spec, uint64_t value) { spec.balance = static_cast<Balance>(value); },
       has_balance,
       no_fault},
      {"node",
       "the paper's node of six fields, or one with a single maximum",
       {"paper", "compact"},
       [](const Spec& spec) { return place(spec.node); },
       [](Spec& spec, uint64_t value) { spec.node = static_cast<Node>(value); },
       has_balance,
       no_fault},
      {"classes",
       "where neighbours are looked for: in the chunk's own class, in all, by boundary tags",
       {"local", "probe", "tags"},
       [](const Spec& spec) { return place(spec.classes); },
       [](Spec& spec, uint64_t value) { spec.classes = static_cast<Classes>(value); },
       has_classes,
       no_fault},
      {"trees",
       "size classes: 8 as the text has, or 9 as its ranges ask for",
       {"8", "9"},
       [](const Spec& spec) { return place(spec.trees == 9); },
       [](Spec& spec, uint64_t value) { spec.trees = value == 0 ? 8 : 9; },
       has_classes,
       no_fault},
      {"better",
       "what better fit takes: the last node of its path, or the smallest that suffices",
       {"last", "smallest"},
       [](const Spec& spec) { return place(spec.remembers); },
       [](Spec& spec, uint64_t value) { spec.remembers = value != 0; },
       is_better_fit,
       no_fault},
      {"fit",
       "of the Cartesian tree: the leftmost, the paper's better fit, or the root",
       {"first", "better", "worst"},
       [](const Spec& spec) { return place(spec.fit) == place(Fit::kWorst) ? 2 : place(spec.fit); },
       [](Spec& spec, uint64_t value) { spec.fit = kCartesianFits[value]; },
       is_cartesian,
       no_fault},
      {"split",
       "which end of a chunk a request gets",
       {"high", "low"},
       [](const Spec& spec) { return place(spec.split); },
       [](Spec& spec, uint64_t value) { spec.split = static_cast<SplitEnd>(value); },
       has_split,
       no_fault},
      {"lists",
       "size classes: Lea's 128, or those of 8 or 9 trees",
       {"lea", "8", "9"},
       [](const Spec& spec) { return place(spec.lists); },
       [](Spec& spec, uint64_t value) { spec.lists = static_cast<ListClasses>(value); },
       has_lists,
       no_fault},
      {"steps",
       "size classes a doubling",
       {"1", "2", "4"},
       [](const Spec& spec) { return place(spec.steps / 2); },
       [](Spec& spec, uint64_t value) { spec.steps = 1U << value; },
       has_steps,
       no_fault},
  };
  return all;
}

}  // namespace mmt::sim

#include "sim/spec/spec.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/spec/names.h"

namespace mmt::sim {
namespace {

constexpr std::string_view kCoalescing = "wc";
constexpr std::string_view kPaper = "paper";
// In the order of Fit.
constexpr std::string_view kFitWords[] = {"first", "better", "best", "next", "worst"};

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const NamedModel& one : known_models()) names.push_back(one.name);
  return names;
}

[[noreturn]] void fail(std::string_view spec, const std::string& what, std::string_view word,
                       std::vector<std::string> known) {
  throw SpecError(fmt::format("allocator '{}': {}", spec, what), std::string(word),
                  std::move(known));
}

bool coalesces_by_itself(Family family) {
  return family != Family::kSimpleSegregated && family != Family::kBump;
}

// "abt-ffwc"
Spec parse_name(std::string_view spec, std::string_view name) {
  Spec out;
  for (const FamilyName& family : family_names()) {
    if (!name.starts_with(family.name)) continue;
    std::string_view rest = name.substr(family.name.size());
    out.family = family.family;
    if (family.fits.empty()) {
      if (!rest.empty()) continue;
      out.coalescing = coalesces_by_itself(family.family);
      return out;
    }
    if (!rest.starts_with("-")) continue;
    rest.remove_prefix(1);
    out.coalescing = rest.ends_with(kCoalescing);
    if (out.coalescing) rest.remove_suffix(kCoalescing.size());
    for (const auto& [word, fit] : family.fits) {
      if (rest != word) continue;
      out.fit = fit;
      return out;
    }
  }
  fail(spec, fmt::format("there is no model '{}'", name), name, all_names());
}

void set_paper(Spec& spec) {
  spec.word = 32;
  spec.header = Header::kNone;
  spec.align = 4;
  const bool is_tree =
      spec.family == Family::kAddressTree || spec.family == Family::kSegregatedTree;
  if (is_tree) spec.balance = Balance::kNone;
}

bool is_paper(const Spec& spec) {
  return spec.word == 32 && spec.header == Header::kNone && spec.align == 4;
}

const Key& find_key(std::string_view text, std::string_view name, const Spec& spec) {
  std::vector<std::string> known{std::string(kPaper)};
  for (const Key& key : keys()) {
    if (key.name == name) {
      if (key.is_for(spec)) return key;
      fail(text, fmt::format("its model has no '{}'", name), "", {});
    }
    if (key.is_for(spec)) known.emplace_back(key.name);
  }
  fail(text, fmt::format("there is no key '{}'", name), name, std::move(known));
}

uint64_t parse_value(std::string_view text, const Key& key, std::string_view value) {
  if (!key.values.empty()) {
    const auto found = std::find(key.values.begin(), key.values.end(), value);
    if (found != key.values.end()) return static_cast<uint64_t>(found - key.values.begin());
    fail(text,
         fmt::format("{} has no value '{}' (it takes {})", key.name, value,
                     fmt::join(key.values, ", ")),
         value, {key.values.begin(), key.values.end()});
  }
  uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [last, error] = std::from_chars(value.data(), end, number);
  const bool is_number = error == std::errc() && last == end;
  const char* const wanted = key.fault(number);
  if (is_number && wanted == nullptr) return number;
  fail(text,
       fmt::format("{}={}: has to be {}", key.name, value, wanted ? wanted : "a whole number"), "",
       {});
}

void set_key(std::string_view text, std::string_view part, Spec& spec) {
  if (part == kPaper) return set_paper(spec);
  const size_t equals = part.find('=');
  const Key& key = find_key(text, part.substr(0, equals), spec);
  if (equals == std::string_view::npos) {
    fail(text, fmt::format("'{}' needs a value: {}=...", key.name, key.name), "", {});
  }
  key.set(spec, parse_value(text, key, part.substr(equals + 1)));
}

void check_whole(std::string_view text, const Spec& spec) {
  if (spec.align * 8 < spec.word) {
    fail(text, fmt::format("align={} is less than a word of {} bits", spec.align, spec.word), "",
         {});
  }
  if (spec.growth < spec.align) {
    fail(text, fmt::format("growth={} is less than align={}", spec.growth, spec.align), "", {});
  }
  const bool is_tree_of_classes = spec.family == Family::kSegregatedTree;
  if (is_tree_of_classes && spec.classes != Classes::kLocal && !spec.coalescing) {
    fail(text, "classes are for coalescing: a name that ends in 'wc'", "", {});
  }
}

}  // namespace

Spec parse_spec(std::string_view text) {
  const size_t colon = text.find(':');
  Spec spec = parse_name(text, text.substr(0, colon));
  std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (colon != std::string_view::npos && rest.empty()) fail(text, "nothing behind ':'", "", {});
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    set_key(text, rest.substr(0, comma), spec);
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  check_whole(text, spec);
  return spec;
}

std::string canonical(const Spec& spec) {
  const FamilyName& family = name_of(spec.family);
  std::string out(family.name);
  for (const auto& [word, fit] : family.fits) {
    if (fit != spec.fit) continue;
    out += fmt::format("-{}{}", word, spec.coalescing ? kCoalescing : "");
    break;
  }
  Spec usual;
  usual.family = spec.family;
  if (is_paper(spec)) set_paper(usual);
  std::string rest = is_paper(spec) ? fmt::format(",{}", kPaper) : "";
  for (const Key& key : keys()) {
    const uint64_t value = key.get(spec);
    if (!key.is_for(spec) || value == key.get(usual)) continue;
    rest += key.values.empty() ? fmt::format(",{}={}", key.name, value)
                               : fmt::format(",{}={}", key.name, key.values[value]);
  }
  if (!rest.empty()) rest.front() = ':';
  return out + rest;
}

std::vector<std::pair<std::string, std::string>> factors(const Spec& spec) {
  const FamilyName& family = name_of(spec.family);
  std::vector<std::pair<std::string, std::string>> out{{"family", std::string(family.name)}};
  if (!family.fits.empty()) {
    out.emplace_back("fit", kFitWords[static_cast<size_t>(spec.fit)]);
    out.emplace_back("coalescing", spec.coalescing ? "on" : "off");
  }
  for (const Key& key : keys()) {
    if (!key.is_for(spec)) continue;
    const uint64_t value = key.get(spec);
    out.emplace_back(
        key.name, key.values.empty() ? fmt::format("{}", value) : std::string(key.values[value]));
  }
  return out;
}

std::vector<NamedModel> known_models() {
  std::vector<NamedModel> out;
  for (const FamilyName& family : family_names()) {
    if (family.fits.empty()) out.push_back({std::string(family.name), std::string(family.help)});
    std::optional<Fit> last;
    for (const auto& [word, fit] : family.fits) {
      if (fit == last) continue;  // another word for the same
      last = fit;
      const std::string words = fmt::format("{} fit", kFitWords[static_cast<size_t>(fit)]);
      const std::string name = fmt::format("{}-{}", family.name, word);
      out.push_back({name, fmt::format("{}; {}", family.help, words)});
      out.push_back({fmt::format("{}{}", name, kCoalescing),
                     fmt::format("{}; {}, with coalescing", family.help, words)});
    }
  }
  return out;
}

namespace {

// "; for abt, sbt"; nothing of a key that all have.
std::string families_of(const Key& key) {
  std::vector<std::string_view> names;
  for (const FamilyName& family : family_names()) {
    Spec spec;
    spec.family = family.family;
    bool is_for = key.is_for(spec);
    for (const auto& [word, fit] : family.fits) {
      spec.fit = fit;
      is_for = is_for || key.is_for(spec);
    }
    if (is_for) names.push_back(family.name);
  }
  if (names.size() == family_names().size()) return "";
  return fmt::format("; for {}", fmt::join(names, ", "));
}

}  // namespace

std::vector<NamedModel> known_keys() {
  std::vector<NamedModel> out{
      {"paper", "short for word=32,header=none,align=4, and in trees balance=none"}};
  for (const Key& key : keys()) {
    out.push_back({key.values.empty() ? fmt::format("{}=N", key.name)
                                      : fmt::format("{}={}", key.name, fmt::join(key.values, "|")),
                   std::string(key.help) + families_of(key)});
  }
  return out;
}

const std::vector<std::string>& paper_twelve() {
  static const std::vector<std::string> all{"sqf-ff",   "sqf-bf",   "abt-ff",   "abt-bf",
                                            "sqf-ffwc", "sqf-bfwc", "abt-ffwc", "abt-bfwc",
                                            "sgf-ff",   "sgf-bf",   "sbt-ff",   "sbt-bf"};
  return all;
}

}  // namespace mmt::sim

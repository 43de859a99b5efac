// The words of the grammar in spec.h, as tables, which never change. Any thread may call it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/spec/spec.h"

namespace mmt::sim {

struct FamilyName {
  Family family;
  std::string_view name;
  std::string_view help;
  // Fits of its names, in the order of the help; none where the name is all.
  std::vector<std::pair<std::string_view, Fit>> fits;
  bool is_tree = false;
};

const std::vector<FamilyName>& family_names();
const FamilyName& name_of(Family family);
bool is_tree(Family family);

// A key behind the colon. `values` are the words for a choice; a number has none.
struct Key {
  std::string_view name;
  std::string_view help;
  std::vector<std::string_view> values;
  // How a value is taken from a Spec and put into it: its place in `values`, or the number itself.
  uint64_t (*get)(const Spec& spec);
  void (*set)(Spec& spec, uint64_t value);
  bool (*is_for)(const Spec& spec);
  // What the value of a number must be, in words; nullptr: it is.
  const char* (*fault)(uint64_t value);
};

const std::vector<Key>& keys();

}  // namespace mmt::sim

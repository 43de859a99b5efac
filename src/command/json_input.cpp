#include "command/json_input.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

namespace mmt::command {
namespace {

using Json = nlohmann::ordered_json;

// The parser does not say where it is; what it reads by does.
class Place {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Place(const char* at, const char** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  Place& operator++() {
    *seen_ = ++at_;
    return *this;
  }
  Place operator++(int) {
    Place before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Place& other) const { return at_ == other.at_; }
  bool operator!=(const Place& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** seen_;
};

}  // namespace

Json json_of(const std::string& text, const std::string& path, std::size_t first_line) {
  const char* seen = text.data();
  const auto fail = [&](const std::string& what) {
    const auto line = first_line + static_cast<std::size_t>(std::count(text.data(), seen, '\n'));
    throw std::runtime_error(fmt::format("'{}', line {}: {}", path, line, what));
  };
  std::vector<std::set<std::string>> keys;  // of the objects around
  const auto look = [&](int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (depth >= kDeepestJson) fail("lists and objects lie too deep in each other");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) {
      fail(fmt::format("an object has the key '{}' twice", parsed.get<std::string>()));
    }
    return true;
  };
  try {
    return Json::parse(Place(text.data(), &seen), Place(text.data() + text.size(), &seen), look);
  } catch (const Json::parse_error&) {
    fail("it is no JSON");
  } catch (const Json::out_of_range&) {
    fail("a number is too large");
  }
  return {};
}

}  // namespace mmt::command

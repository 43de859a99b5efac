// Input of the compiler benchmark: standard headers, containers, ranges, and templates of its own.
// The static_asserts make the compiler check its own work.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {

// A list of types, sorted by size while compiling.
template <typename... T>
struct List {};

template <typename T, typename L>
struct Prepend;
template <typename T, typename... Rest>
struct Prepend<T, List<Rest...>> {
  using type = List<T, Rest...>;
};

template <typename T, typename L>
struct Insert;
template <typename T>
struct Insert<T, List<>> {
  using type = List<T>;
};
template <typename T, typename First, typename... Rest>
struct Insert<T, List<First, Rest...>> {
  using type = std::conditional_t<(sizeof(T) <= sizeof(First)), Prepend<T, List<First, Rest...>>,
                                  Prepend<First, typename Insert<T, List<Rest...>>::type>>::type;
};

template <typename L>
struct Sort;
template <>
struct Sort<List<>> {
  using type = List<>;
};
template <typename First, typename... Rest>
struct Sort<List<First, Rest...>> {
  using type = typename Insert<First, typename Sort<List<Rest...>>::type>::type;
};

template <std::size_t N>
struct Sized {
  char bytes[N];
};

template <std::size_t... I>
constexpr auto scrambled(std::index_sequence<I...>) {
  return List<Sized<(I * 37 % 61) + 1>...>{};
}
template <std::size_t... I>
constexpr auto ordered(std::index_sequence<I...>) {
  return List<Sized<I + 1>...>{};
}
using Scrambled = decltype(scrambled(std::make_index_sequence<61>{}));
using Ordered = decltype(ordered(std::make_index_sequence<61>{}));
static_assert(std::is_same_v<Sort<Scrambled>::type, Ordered>);

constexpr auto primes = [] {
  std::array<int, 3000> sieve{};
  int found = 0;
  for (int i = 2; i < 3000; ++i) {
    if (sieve[static_cast<std::size_t>(i)] == 0) {
      ++found;
      for (int k = 2 * i; k < 3000; k += i) sieve[static_cast<std::size_t>(k)] = 1;
    }
  }
  return found;
}();
static_assert(primes == 430);

// Containers of many element types, each with its own instantiations.
template <std::size_t N>
struct Key {
  std::array<int, N> part{};
  friend auto operator<=>(const Key&, const Key&) = default;
};

template <std::size_t N>
long exercise(long start) {
  std::map<Key<N>, std::vector<std::string>> names;
  std::set<std::pair<Key<N>, long>> seen;
  std::unordered_map<std::string, std::tuple<Key<N>, std::optional<double>>> index;
  std::variant<Key<N>, std::string, std::vector<Key<N>>> either = Key<N>{};
  std::function<long(const Key<N>&)> weight = [start](const Key<N>& key) {
    return std::accumulate(key.part.begin(), key.part.end(), start);
  };
  for (int i = 0; i < 10; ++i) {
    Key<N> key;
    key.part.fill(i);
    names[key].push_back(std::to_string(i));
    seen.emplace(key, weight(key));
    index.insert_or_assign(std::to_string(i), std::tuple(key, std::optional<double>(i)));
    if (i % 3 == 0) either = std::vector<Key<N>>(static_cast<std::size_t>(i), key);
  }
  auto long_lists = names | std::views::values |
                    std::views::filter([](const auto& list) { return !list.empty(); }) |
                    std::views::transform([](const auto& list) { return list.front(); });
  std::ostringstream out;
  for (const std::string& text : long_lists) out << text << ' ';
  std::vector<std::pair<Key<N>, long>> flat(seen.begin(), seen.end());
  std::ranges::stable_sort(flat, std::ranges::greater{}, &std::pair<Key<N>, long>::second);
  auto shared = std::make_shared<std::vector<long>>();
  for (const auto& entry : flat) shared->push_back(entry.second);
  return std::visit(
      [&](const auto& value) {
        return static_cast<long>(sizeof(value)) + static_cast<long>(out.str().size()) +
               std::accumulate(shared->begin(), shared->end(), 0L);
      },
      either);
}

}  // namespace

long templates_answer(const std::string& text) {
  long total = exercise<2>(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) total += static_cast<long>(word.size());
  return total;
}

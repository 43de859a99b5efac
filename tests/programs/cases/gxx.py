"""g++ on C++ with templates: the same assembly, objects and executable, which then runs."""

PACKAGES = ["g++"]

TEMPLATES = r"""
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

template <int N> struct Fib {
  static constexpr unsigned long value = Fib<N - 1>::value + Fib<N - 2>::value;
};
template <> struct Fib<0> { static constexpr unsigned long value = 0; };
template <> struct Fib<1> { static constexpr unsigned long value = 1; };

template <class... T> struct List {};
template <class F, class... T> auto fold(F f, const std::tuple<T...>& t) {
  return std::apply([&](const auto&... x) { return (f(x) + ... + 0); }, t);
}
template <std::size_t... I> auto numbers(std::index_sequence<I...>) {
  return std::make_tuple(std::integral_constant<int, I>{}...);
}
template <class T> class Tree {
 public:
  void insert(T value) { insert(root_, std::move(value)); }
  template <class F> void walk(F f) const { walk(root_.get(), f); }
 private:
  struct Node { T value; std::unique_ptr<Node> left, right; };
  static void insert(std::unique_ptr<Node>& at, T value) {
    if (!at) { at = std::make_unique<Node>(); at->value = std::move(value); return; }
    auto& side = value < at->value ? at->left : at->right;
    insert(side, std::move(value));
  }
  template <class F> static void walk(const Node* n, F& f) {
    if (n) { walk(n->left.get(), f); f(n->value); walk(n->right.get(), f); }
  }
  std::unique_ptr<Node> root_;
};
using Value = std::variant<int, double, std::string, std::vector<int>>;
struct Show {
  std::string operator()(int i) const { return std::to_string(i); }
  std::string operator()(double d) const { return std::to_string(d); }
  std::string operator()(const std::string& s) const { return s; }
  std::string operator()(const std::vector<int>& v) const { return std::to_string(v.size()); }
};
int main() {
  Tree<std::string> tree;
  std::map<std::string, std::vector<int>> groups;
  std::unordered_map<int, std::shared_ptr<std::string>> shared;
  unsigned seed = 1;
  for (int i = 0; i < 50000; i++) {
    seed = seed * 1664525u + 1013904223u;
    int k = static_cast<int>(seed >> 12) % 50021;
    tree.insert("key" + std::to_string(k));
    groups["g" + std::to_string(k % 997)].push_back(i);
    shared[k] = std::make_shared<std::string>(k % 80, 'x');
  }
  long n = 0;
  tree.walk([&](const std::string& s) { n += s.size(); });
  for (auto& [name, list] : groups) n += std::accumulate(list.begin(), list.end(), 0L) % 1000;
  std::erase_if(shared, [](auto& p) { return p.first % 3 == 0; });
  for (auto& [k, s] : shared) n += s->size();
  std::vector<Value> values{1, 2.5, std::string("three"), std::vector<int>(4)};
  for (auto& v : values) std::cout << std::visit(Show{}, v) << '\n';
  std::function<long(long)> f = [n](long x) { return x + n; };
  std::cout << Fib<90>::value << ' ' << f(1) << ' '
            << fold([](auto x) { return int(x); }, numbers(std::make_index_sequence<40>{})) << '\n';
  try { std::vector<int>().at(3); }
  catch (const std::out_of_range& e) { std::cerr << e.what() << '\n'; return 5; }
}
"""

BROKEN = """
#include <map>
struct Key {};
int main() { std::map<Key, int> m; m[Key{}] = undeclared; std::map<int, int> n = m; }
"""


def case(lab):
    lab.write("templates.cpp", TEMPLATES)
    found = lab.run(["g++", "-print-prog-name=cc1plus"]).stdout.decode().strip()
    flags = ["-std=c++20", "-g"]
    lab.run(["g++", *flags, "-O1", "-S", "templates.cpp"], loads=[found], label="assembly")
    lab.run(["g++", *flags, "-c", "templates.cpp"], loads=[found, "as"], label="object")
    lab.run(["g++", "-o", "templates", "templates.o"], loads=["ld"], label="link")
    for name in ("templates.s", "templates.o", "templates"):
        lab.observe(name, lab.read(name))
    lab.run([lab.path("templates")], status=5)
    lab.write("broken.cpp", BROKEN)
    lab.run(["g++", *flags, "-c", "broken.cpp"], status=1, loads=[found], label="errors")

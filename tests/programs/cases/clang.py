"""clang on C++ with templates: LLVM's own arenas and threads beside malloc; same object files."""

import os

PACKAGES = ["clang"]

SOURCE = """
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
template <int N> struct Chain : Chain<N - 1> { int at() const { return N + Chain<N - 1>::at(); } };
template <> struct Chain<0> { int at() const { return 0; } };
template <class T> long use(const T& all) {
  long n = 0;
  for (const auto& [key, list] : all) n += std::count(list.begin(), list.end(), 7) + key.size();
  return n;
}
int main() {
  std::map<std::string, std::vector<int>> a;
  std::unordered_map<std::string, std::vector<short>> b;
  for (int i = 0; i < 1000; i++) a[std::to_string(i % 77)].push_back(i % 9);
  for (int i = 0; i < 1000; i++) b[std::to_string(i % 78)].push_back(i % 9);
  return int((use(a) + use(b) + Chain<200>().at()) % 100);
}
"""


def case(lab):
    lab.write("source.cpp", SOURCE)
    for level in ("-O0", "-O2"):
        words = ["clang++", "-std=c++20", "-g", level, "-c", "source.cpp", "-o", f"{level}.o"]
        lab.run(words, label=f"clang++ {level}", timeout=90)
        lab.observe(f"object {level}", lab.read(f"{level}.o"))
    lab.run(["clang++", "-o", "program", "./-O2.o"], loads=["ld"], label="link")
    lab.observe("exit status", lab.run([os.path.join(lab.folder, "program")], status=None).status)
    lab.run(["clang++", "-c", "-x", "c++", "-"], stdin="int f( { return x; }", status=1)

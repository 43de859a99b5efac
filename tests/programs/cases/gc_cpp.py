"""C++ on the Boehm collector, which replaces operator new: what it gives is searched for pointers."""

PACKAGES = ["g++", "libgc-dev"]

SOURCE = r"""
#include <gc/gc_cpp.h>
#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <vector>

struct Leaf : public gc {
  char text[64];
  explicit Leaf(int i) { memset(text, 'a' + i % 26, sizeof text); }
};
struct Owner {
  Leaf* leaf;
  std::string name;
};
int main() {
  GC_INIT();
  // All of these hold the only pointers to collectable blocks, in memory that operator new gave.
  auto* all = new std::vector<Leaf*>;
  auto* chain = new std::list<Leaf*>;
  auto* tree = new std::map<std::string, Owner>;
  Leaf** array = new Leaf*[5000];
  for (int i = 0; i < 20000; i++) {
    all->push_back(new Leaf(i));
    chain->push_back(new Leaf(i + 1));
    if (i < 5000) array[i] = new Leaf(i + 2);
    std::string name = "a name that is long enough for a block of its own " + std::to_string(i);
    if (i % 4 == 0) (*tree)[name] = {new Leaf(i + 3), name};
  }
  for (int round = 0; round < 5; round++) {
    GC_gcollect();
    for (int i = 0; i < 20000; i++) memset((new Leaf(0))->text, '!', 64);
  }
  int lost = 0, i = 0;
  for (Leaf* leaf : *all) lost += leaf->text[5] != 'a' + i++ % 26;
  i = 0;
  for (Leaf* leaf : *chain) lost += leaf->text[5] != 'a' + (i++ + 1) % 26;
  for (i = 0; i < 5000; i++) lost += array[i]->text[5] != 'a' + (i + 2) % 26;
  for (auto& [name, owner] : *tree) {
    int number = atoi(name.c_str() + name.rfind(' ') + 1);
    lost += owner.name != name || owner.leaf->text[5] != 'a' + (number + 3) % 26;
  }
  delete[] array;
  delete tree;
  delete chain;
  delete all;
  printf("%d lost\n", lost);
}
"""


def case(lab):
    lab.write("collected.cpp", SOURCE)
    lab.run(["g++", "-std=c++17", "-O1", "-o", "collected", "collected.cpp", "-lgccpp", "-lgc"], loads=["ld"])
    lab.run([lab.path("collected")])

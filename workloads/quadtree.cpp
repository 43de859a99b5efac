// quadtree: images as quadtrees, joined, intersected and subtracted. Each result is a tree of new
// nodes, and the tree that it replaces is torn down. All nodes have one size. `--heap class` gives
// them a heap of their own (PerClassHeap: a free list over chunks). `--heap malloc` gives them
// operator new.
// Metrics: combine (seconds).
// Results are right when |A or B| + |A and B| = |A| + |B|, and |A minus B| + |A and B| = |A|.
// The area of each disc must also be its count of pixels.
#include <array>
#include <cstdint>

#include <mmt/layers/adapt/per_class_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/rng.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "quadtree";

enum class Colour : uint32_t { kWhite, kBlack, kMixed };
enum class Operation { kUnion, kIntersection, kDifference };

// A square, and its quarters where it is neither white nor black.
struct Square {
  std::array<Square*, 4> quarters{};
  Colour colour = Colour::kWhite;
};
struct ClassSquare
    : mmt::layers::PerClassHeap<
          Square, mmt::layers::Pipe<mmt::layers::MmapHeap, mmt::layers::Chunk<1 << 18>,
                                    mmt::layers::Freelist>> {};

struct Disc {
  int64_t x, y, radius;

  bool has(int64_t px, int64_t py) const {
    return (px - x) * (px - x) + (py - y) * (py - y) <= radius * radius;
  }
  int64_t pixels(int64_t width) const {
    int64_t count = 0;
    for (int64_t py = 0; py < width; ++py) {
      for (int64_t px = 0; px < width; ++px) count += has(px, py);
    }
    return count;
  }
};

// Images of one way to make nodes: Node is a Square, made and ended as such.
template <class Node>
class Images {
 public:
  static void destroy(Square* square) {
    if (square->colour == Colour::kMixed) {
      for (Square* quarter : square->quarters) destroy(quarter);
    }
    delete static_cast<Node*>(square);
  }

  static Square* draw(const Disc& disc, int64_t x, int64_t y, int64_t width) {
    if (width == 1) return leaf(disc.has(x, y) ? Colour::kBlack : Colour::kWhite);
    const int64_t half = width / 2;
    return joined({draw(disc, x, y, half), draw(disc, x + half, y, half),
                   draw(disc, x, y + half, half), draw(disc, x + half, y + half, half)});
  }

  static Square* combine(Operation operation, const Square* a, const Square* b) {
    if (b->colour != Colour::kMixed) {
      const bool is_black = b->colour == Colour::kBlack;
      if (operation == Operation::kUnion) return is_black ? leaf(Colour::kBlack) : copy(a);
      const bool keeps = is_black == (operation == Operation::kIntersection);
      return keeps ? copy(a) : leaf(Colour::kWhite);
    }
    if (a->colour == Colour::kBlack && operation == Operation::kUnion) return leaf(Colour::kBlack);
    if (a->colour == Colour::kWhite && operation != Operation::kUnion) return leaf(Colour::kWhite);
    std::array<Square*, 4> quarters;
    for (size_t i = 0; i < 4; ++i) {
      const Square* part = a->colour == Colour::kMixed ? a->quarters[i] : a;
      quarters[i] = combine(operation, part, b->quarters[i]);
    }
    return joined(quarters);
  }

  static int64_t area(const Square* square, int64_t width) {
    if (square->colour != Colour::kMixed) {
      return square->colour == Colour::kBlack ? width * width : 0;
    }
    int64_t sum = 0;
    for (const Square* quarter : square->quarters) sum += area(quarter, width / 2);
    return sum;
  }

 private:
  static Square* leaf(Colour colour) {
    Node* node = new Node;
    node->colour = colour;
    return node;
  }
  static Square* copy(const Square* square) {
    Node* node = new Node;
    node->colour = square->colour;
    if (square->colour != Colour::kMixed) return node;
    for (size_t i = 0; i < 4; ++i) node->quarters[i] = copy(square->quarters[i]);
    return node;
  }
  // Four quarters of one colour are a square of it.
  static Square* joined(const std::array<Square*, 4>& quarters) {
    const Colour colour = quarters[0]->colour;
    bool is_plain = colour != Colour::kMixed;
    for (const Square* quarter : quarters) is_plain &= quarter->colour == colour;
    Node* node = new Node;
    node->colour = is_plain ? colour : Colour::kMixed;
    if (!is_plain) node->quarters = quarters;
    if (is_plain) {
      for (Square* quarter : quarters) destroy(quarter);
    }
    return node;
  }
};

template <class Node>
double run(int64_t width, uint64_t steps, uint64_t seed) {
  using Set = Images<Node>;
  Rng rng(seed);
  Square* image = Set::draw({width / 2, width / 2, width / 4}, 0, 0, width);
  double seconds = 0;
  for (uint64_t step = 0; step < steps; ++step) {
    const auto at = [&] { return static_cast<int64_t>(rng.below(static_cast<uint64_t>(width))); };
    const Disc disc{at(), at(), width / 8 + at() / 8};
    Square* other = Set::draw(disc, 0, 0, width);
    if (step == 0) require(Set::area(other, width) == disc.pixels(width), kProgram, "a disc");
    Stopwatch watch;
    Square* both = Set::combine(Operation::kIntersection, image, other);
    Square* either = Set::combine(Operation::kUnion, image, other);
    Square* rest = Set::combine(Operation::kDifference, image, other);
    seconds += watch.lap();
    const int64_t before = Set::area(image, width);
    const int64_t common = Set::area(both, width);
    const int64_t sum = before + Set::area(other, width);
    require(Set::area(either, width) + common == sum, kProgram, "a union");
    require(Set::area(rest, width) + common == before, kProgram, "a difference");
    watch.lap();
    Set::destroy(both);
    Set::destroy(other);
    Set::destroy(image);
    Set::destroy(step % 2 == 0 ? rest : either);
    seconds += watch.lap();
    image = step % 2 == 0 ? either : rest;
  }
  Set::destroy(image);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  const auto width = static_cast<int64_t>(flags.number("width", 1024));
  const uint64_t steps = flags.number("steps", 300);
  const uint64_t seed = flags.number("seed", 1);
  const bool is_class = flags.text("heap", "malloc", {"malloc", "class"}) == "class";
  flags.finish();
  require(width >= 8 && width <= 1 << 15 && (width & (width - 1)) == 0, kProgram,
          "--width: a power of two from 8 to 32768");

  Report report(kProgram);
  const double seconds =
      is_class ? run<ClassSquare>(width, steps, seed) : run<Square>(width, steps, seed);
  report.add("combine", seconds, "s");
  return report.finish();
}

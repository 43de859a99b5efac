#include "perimeter/quad_tree.h"

#include <cstdlib>

#include "base/memory.h"

namespace mmt::workloads::classic::perimeter {
namespace {

constexpr uint32_t kEast = 1;
constexpr uint32_t kSouth = 2;

bool touches(Quarter quarter, Side side) {
  switch (side) {
    case Side::kNorth:
      return (quarter & kSouth) == 0;
    case Side::kEast:
      return (quarter & kEast) != 0;
    case Side::kSouth:
      return (quarter & kSouth) != 0;
    default:
      return (quarter & kEast) == 0;
  }
}

// The quarter on the other side of the border.
Quarter mirrored(Quarter quarter, Side side) {
  const uint32_t bit = side == Side::kEast || side == Side::kWest ? kEast : kSouth;
  return static_cast<Quarter>(quarter ^ bit);
}

Side opposite(Side side) { return static_cast<Side>((static_cast<uint32_t>(side) + 2) % 4); }

// The square of the same size beside the node, or the larger one that it lies in; nullptr: the
// image ends there.
const Node* neighbour(const Node* node, Side side) {
  if (node->parent == nullptr) return nullptr;
  const Node* beside = node->parent;
  if (touches(node->quarter, side)) {
    beside = neighbour(node->parent, side);
    if (beside == nullptr || beside->colour != Colour::kGrey) return beside;
  }
  return beside->quarters[mirrored(node->quarter, side)];
}

// How much of a square's side is white.
int64_t white_along(const Node* node, Side side, int64_t size) {
  if (node->colour != Colour::kGrey) return node->colour == Colour::kWhite ? size : 0;
  int64_t sum = 0;
  for (const Node* quarter : node->quarters) {
    if (touches(quarter->quarter, side)) sum += white_along(quarter, side, size / 2);
  }
  return sum;
}

}  // namespace

Node* draw(const Ring& ring, int64_t x, int64_t y, int64_t size, Quarter quarter, Node* parent) {
  auto* node = static_cast<Node*>(allocate(sizeof(Node)));
  const Ring::Cover cover = ring.cover(x, y, size);
  const Colour plain = cover == Ring::Cover::kAll ? Colour::kBlack : Colour::kWhite;
  *node = {cover == Ring::Cover::kMixed ? Colour::kGrey : plain, quarter, parent, {}};
  if (cover != Ring::Cover::kMixed) return node;
  const int64_t half = size / 2;
  for (uint32_t q = 0; q < 4; ++q) {
    const int64_t east = (q & kEast) != 0 ? half : 0;
    const int64_t south = (q & kSouth) != 0 ? half : 0;
    node->quarters[q] = draw(ring, x + east, y + south, half, static_cast<Quarter>(q), node);
  }
  return node;
}

int64_t perimeter_of(const Node* node, int64_t size) {
  int64_t sum = 0;
  if (node->colour == Colour::kGrey) {
    for (const Node* quarter : node->quarters) sum += perimeter_of(quarter, size / 2);
  } else if (node->colour == Colour::kBlack) {
    for (uint32_t s = 0; s < 4; ++s) {
      const auto side = static_cast<Side>(s);
      const Node* beside = neighbour(node, side);
      sum += beside == nullptr ? size : white_along(beside, opposite(side), size);
    }
  }
  return sum;
}

int64_t count_nodes(const Node* node) {
  int64_t sum = 1;
  if (node->colour != Colour::kGrey) return sum;
  for (const Node* quarter : node->quarters) sum += count_nodes(quarter);
  return sum;
}

void destroy(Node* node) {
  if (node->colour == Colour::kGrey) {
    for (Node* quarter : node->quarters) destroy(quarter);
  }
  std::free(node);
}

}  // namespace mmt::workloads::classic::perimeter

// An image as a quadtree: a node for each square, down to squares of one colour. Nodes know their
// parents, so that neighbours are found by way of common ancestors (Samet: Computing perimeters of
// images represented by quadtrees, 1981).
#pragma once

#include <cstdint>

#include "perimeter/ring.h"

namespace mmt::workloads::classic::perimeter {

enum class Colour : uint32_t { kWhite, kBlack, kGrey };
// A quarter's number has a bit for east and one for south.
enum Quarter : uint32_t { kNorthWest, kNorthEast, kSouthWest, kSouthEast, kNone };
enum class Side : uint32_t { kNorth, kEast, kSouth, kWest };

struct Node {
  Colour colour;
  Quarter quarter;  // which of its parent's; kNone: the whole image
  Node* parent;
  Node* quarters[4];
};

// The tree of a part of the image.
Node* draw(const Ring& ring, int64_t x, int64_t y, int64_t size, Quarter quarter, Node* parent);

// In pixels' sides; `size` is the node's width.
int64_t perimeter_of(const Node* node, int64_t size);

int64_t count_nodes(const Node* node);
void destroy(Node* node);

}  // namespace mmt::workloads::classic::perimeter

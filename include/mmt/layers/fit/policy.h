#pragma once
// A fit policy owns an arena, cuts chunks from it, and takes them back. One implementation of each
// serves as a model in the simulator, as the malloc of a program (over fit/fit_heap.h), and behind
// the memory thread. A policy is not thread-safe. Nothing is ever given back to the source before
// the policy ends.
//
// A chunk is what a policy cuts: whole granules. A live chunk keeps `header` bytes in front of what
// its owner has. A free chunk holds the policy's node. There are two ways to know the size at free:
//   Header::kWord   the chunk's first word holds it (and nothing else)
//   Header::kNone   the caller knows it, as the paper's simulators did
//
// The paper on policies and trees is Rezaei and Kavi, ABT and SBT Revisited, 2016.
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/layers/fit/arena.h>

namespace mmt::layers::fit {

enum class Header : uint8_t { kWord, kNone };

// Constant over the life of a policy; given to its constructor first of all.
struct Shape {
  Header header = Header::kWord;
  // Bytes, a power of two: chunks are multiples of it, and what owners get is aligned to it. It is
  // no less than a header.
  size_t granule = 16;
  size_t growth = 4096;  // bytes by which the arena grows, a multiple of granule

  constexpr size_t header_bytes(size_t word) const { return header == Header::kWord ? word : 0; }
  // Where the first chunk begins, so that what owners get is aligned, and not at kNone.
  constexpr Address first_chunk(size_t word) const {
    return granule == header_bytes(word) ? granule : granule - header_bytes(word);
  }
  // The result is the size of the chunk for a request: at least `least` bytes, which hold a node.
  constexpr size_t chunk_bytes(size_t asked, size_t least, size_t word) const {
    const size_t needed = asked + header_bytes(word);
    return core::align_up(needed < least ? least : needed, granule);
  }
};

// The paper's 32-bit machine: no header, words of 4 bytes, pages of 8 KiB.
inline constexpr Shape kPaperShape{Header::kNone, 4, kPaperGrowth};

struct FreeChunk {
  Address at;
  size_t bytes;
};

template <class P>
concept FitPolicy = requires(P& policy, const P& constant, size_t bytes, Address at,
                             void (*visit)(FreeChunk)) {
  // The address of what its owner has, of at least so many bytes (0 counts as 1); kNone: no memory,
  // and nothing has changed.
  { policy.allocate(bytes) } -> std::same_as<Address>;
  // `asked`: what allocate() was asked for; used with Header::kNone alone.
  policy.free(at, bytes);
  // Bytes that the owner of a chunk may use: at least what was asked for.
  { constant.usable(at, bytes) } -> std::same_as<size_t>;
  // Bytes of the whole chunk, header included.
  { constant.chunk_bytes(at, bytes) } -> std::same_as<size_t>;
  // Every free chunk once, in any order. What is neither free nor live is the policy's own.
  constant.for_each_free(visit);
  // Free chunks now, and their bytes; at once, by counts that are kept.
  { constant.free_chunks() } -> std::convertible_to<size_t>;
  { constant.free_bytes() } -> std::convertible_to<size_t>;
  // All that must hold of the policy's nodes: order, maxima, balance, no two free neighbours where
  // it coalesces at once. The name of what does not; nullptr: all holds. It is slow.
  { constant.broken_invariant() } -> std::same_as<const char*>;
  {policy.arena()};
  { P::kLeastChunk } -> std::convertible_to<size_t>;
};

}  // namespace mmt::layers::fit

// What the agent in a Java machine tells `mmt trace --java` through a pipe: batches of records.
// Each is written at once and is no longer than a pipe takes whole, so that two machines' batches
// never mix.
#pragma once

#include <climits>
#include <cstdint>

namespace mmt::java {

inline constexpr uint32_t kMagic = 0x314a4d4d;  // "MMJ1", at the head of each batch

enum class RecordKind : uint32_t {
  kAllocate,  // number, bytes
  kFree,      // number: a collection found it dead
  kThreadStart,
  kThreadEnd,
  kCollection,  // number: forced collections so far; all deaths before it were told
  kEnd,         // the machine ended by itself; nothing follows
};

struct Record {
  RecordKind kind;
  uint32_t thread;  // numbered by first record, from 0
  uint64_t number;  // of an object: by birth, from 1, without gaps
  uint64_t bytes;   // its size in the machine's heap, header included
};

struct BatchHead {
  uint32_t magic;
  uint32_t process;
  uint64_t records;
};

inline constexpr unsigned kBatch = (PIPE_BUF - sizeof(BatchHead)) / sizeof(Record);

}  // namespace mmt::java

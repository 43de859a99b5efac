// How eagerly `mmt trace` asks for a CPU beside the program that it records.
#pragma once

namespace mmt::cli {

// Where every CPU is busy, the program goes first: what it records may lie until a CPU is free, or
// the program waits for room, which frees one. Of this thread; call it once the program is started,
// which would have it, too.
void let_others_first();

}  // namespace mmt::cli

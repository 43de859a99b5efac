// What the C part of the test of <mmt/stm.h> does.
#pragma once

#include <mmt/stm.h>

#ifdef __cplusplus
extern "C" {
#endif

// Moves sums between accounts whose total is 0; how often something was wrong.
int c_transfers(mmt_stm_memory* memory, uint64_t* accounts, unsigned count, unsigned seed,
                unsigned rounds);
// 1: values of all widths are what they should.
int c_widths(mmt_stm_memory* memory);

// One thread holds a word; another wants one, and gives up after its first abort.
int c_conflict(mmt_stm_memory* memory, uint64_t* held, uint64_t* wanted);
// Frees as many blocks as it allocates, a transaction each.
int c_blocks(mmt_stm_memory* memory, unsigned rounds);

// What ends the process: a call outside of transactions, of the kind that `what` says; and bodies
// that are left, two in a row.
enum { kReads, kWrites, kAllocates, kFrees, kRetries, kCancels, kBecomesIrrevocable, kKinds };
void c_outside(mmt_stm_memory* memory, int what);
void c_left_twice(mmt_stm_memory* memory);

#ifdef __cplusplus
}
#endif

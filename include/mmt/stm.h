/* Transactional memory for C (C99 on), and for C++ without exceptions: what <mmt/stm/atomically.h>
 * offers, behind functions. Link mmt::stm.
 *
 *   MMT_STM_BEGIN(thread) {
 *     mmt_stm_write_u64(thread, &a, mmt_stm_read_u64(thread, &a) + 1);
 *   }
 *   MMT_STM_END(thread);
 *   if (mmt_stm_outcome(thread) != 0) ...
 *
 * An abort is a longjmp to MMT_STM_BEGIN, from where the body begins anew. So the body keeps
 * nothing that has to be released. What it changes of automatic variables that are used after an
 * abort is declared volatile. MMT_STM_BEGIN within a transaction of the same thread is part of that
 * one, on the same stack.
 *
 * The body is left only by its end, and waits for no other commit on its memory. Left otherwise, it
 * keeps the commits of other threads waiting for ever. Where the thread's next MMT_STM_BEGIN can
 * tell, the process ends with a message. It does so, too, at a call outside of its transaction.
 *
 * mmt_stm_outcome: 0 committed; ECANCELED after mmt_stm_cancel; ENOMEM where the transaction's own
 * logs found no memory. Other than 0: nothing has happened. */
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmt_stm_memory mmt_stm_memory; /* shared by threads: any thread */
typedef struct mmt_stm_thread mmt_stm_thread; /* of one thread */

/* Those of <mmt/stm/options.h>, which explains each; enumerations are numbers here. The library is
 * an archive: a program has the header that it was linked with. mmt_stm_default_options first: what
 * is not set is what it says. */
typedef struct mmt_stm_options {
  unsigned design, manager, hash, reclamation, caching;
  unsigned log2_orecs, shift, most_retries;
  int deferred_clock, safe_privatization, free_locks_all_words;
  unsigned most_cached; /* blocks of one size class that a thread keeps, where `caching` does */
  unsigned
      epoch_batch; /* blocks a thread keeps before it looks for free ones, of `reclamation` 2 */
  int attribute_aborts;    /* mmt_stm_statistics tells conflicts apart */
  unsigned validate_every; /* a fault of a doomed attempt is the program's here */
} mmt_stm_options;

typedef struct mmt_stm_statistics {
  uint64_t attempts, commits, aborts; /* attempts == commits + aborts, once none runs */
  /* Parts of the aborts, where attribute_aborts is on: for one word; for another of its stripe; for
   * another stripe with its orec. */
  uint64_t true_conflicts, shared_stripes, shared_orecs;
  uint64_t allocations, reused; /* reused: those served from what `caching` keeps */
} mmt_stm_statistics;

void mmt_stm_default_options(mmt_stm_options* options);

/* Null with errno EINVAL (an option is out of range) or ENOMEM. Null options are the default ones.
 */
mmt_stm_memory* mmt_stm_create(const mmt_stm_options* options);
/* After its threads. */
void mmt_stm_destroy(mmt_stm_memory* memory);
/* At any time: the numbers are those of some moment just past. */
void mmt_stm_get_statistics(mmt_stm_memory* memory, mmt_stm_statistics* statistics);

/* Null with errno EAGAIN (the memory has 512 threads already) or ENOMEM. */
mmt_stm_thread* mmt_stm_thread_create(mmt_stm_memory* memory);
/* Not in a transaction. It waits for others' attempts, if blocks that the thread freed do. */
void mmt_stm_thread_destroy(mmt_stm_thread* thread);

/* The values that setjmp gives in MMT_STM_BEGIN: an attempt is to begin, or it is over. */
#define MMT_STM_OVER 2
#define MMT_STM_BEGIN(thread) MMT_STM_BEGIN_AS(thread, 0)
#define MMT_STM_BEGIN_READ_ONLY(thread) MMT_STM_BEGIN_AS(thread, 1)
#define MMT_STM_BEGIN_AS(thread, read_only)               \
  do {                                                    \
    mmt_stm_start((thread), (read_only));                 \
    if (setjmp(*mmt_stm_place(thread)) != MMT_STM_OVER) { \
      mmt_stm_begin(thread);
#define MMT_STM_END(thread) \
  mmt_stm_commit(thread);   \
  }                         \
  }                         \
  while (0)

/* For the macros alone. */
void mmt_stm_start(mmt_stm_thread* thread, int read_only);
jmp_buf* mmt_stm_place(mmt_stm_thread* thread);
void mmt_stm_begin(mmt_stm_thread* thread);
void mmt_stm_commit(mmt_stm_thread* thread);

int mmt_stm_outcome(const mmt_stm_thread* thread);

/* --- In a transaction --- */

/* All but mmt_stm_allocate may abort, and then do not return. Addresses may be unaligned: their
 * bytes are then read or written one by one. Sizes are bytes. */

uint8_t mmt_stm_read_u8(mmt_stm_thread* thread, const uint8_t* at);
uint16_t mmt_stm_read_u16(mmt_stm_thread* thread, const uint16_t* at);
uint32_t mmt_stm_read_u32(mmt_stm_thread* thread, const uint32_t* at);
uint64_t mmt_stm_read_u64(mmt_stm_thread* thread, const uint64_t* at);
/* `at` is the address of a pointer of any type. */
void* mmt_stm_read_pointer(mmt_stm_thread* thread, const void* at);
void mmt_stm_read(mmt_stm_thread* thread, void* to, const void* from, size_t bytes);

void mmt_stm_write_u8(mmt_stm_thread* thread, uint8_t* at, uint8_t value);
void mmt_stm_write_u16(mmt_stm_thread* thread, uint16_t* at, uint16_t value);
void mmt_stm_write_u32(mmt_stm_thread* thread, uint32_t* at, uint32_t value);
void mmt_stm_write_u64(mmt_stm_thread* thread, uint64_t* at, uint64_t value);
void mmt_stm_write_pointer(mmt_stm_thread* thread, void* at, const void* value);
void mmt_stm_write(mmt_stm_thread* thread, void* to, const void* from, size_t bytes);

/* The block is malloc's; null when there is no memory. Undone when the attempt aborts. */
void* mmt_stm_allocate(mmt_stm_thread* thread, size_t bytes);
/* At commit; null is nothing. `bytes`: 0 where it is not known. */
void mmt_stm_free(mmt_stm_thread* thread, void* block, size_t bytes);

/* Begin anew; not in an irrevocable transaction, which it would end as mmt_stm_cancel does. */
void mmt_stm_retry(mmt_stm_thread* thread);
/* Ends the whole transaction as if it had not been. */
void mmt_stm_cancel(mmt_stm_thread* thread);
/* Nobody else runs until the commit. The body may begin anew first. */
void mmt_stm_become_irrevocable(mmt_stm_thread* thread);

#ifdef __cplusplus
}
#endif

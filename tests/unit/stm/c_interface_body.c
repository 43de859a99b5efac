// The program of c_interface_test.cpp that is C.
#include "unit/stm/c_interface_body.h"

#include <errno.h>

int c_transfers(mmt_stm_memory* memory, uint64_t* accounts, unsigned count, unsigned seed,
                unsigned rounds) {
  mmt_stm_thread* const thread = mmt_stm_thread_create(memory);
  if (thread == NULL) return errno;
  volatile int failures = 0;
  volatile unsigned state = seed;
  for (volatile unsigned i = 0; i < rounds; i = i + 1) {
    state = state * 1103515245U + 12345U;
    uint64_t* const from = &accounts[(state >> 8) % count];
    uint64_t* const to = &accounts[(state >> 20) % count];
    MMT_STM_BEGIN(thread) {
      mmt_stm_write_u64(thread, from, mmt_stm_read_u64(thread, from) - 1);
      MMT_STM_BEGIN(thread) { mmt_stm_write_u64(thread, to, mmt_stm_read_u64(thread, to) + 1); }
      MMT_STM_END(thread);
      void* const note = mmt_stm_allocate(thread, 24);
      mmt_stm_free(thread, note, 24);
      if (i % 5 == 0) mmt_stm_cancel(thread);
    }
    MMT_STM_END(thread);
    if (mmt_stm_outcome(thread) != (i % 5 == 0 ? ECANCELED : 0)) failures = failures + 1;
    MMT_STM_BEGIN_READ_ONLY(thread) {
      uint64_t sum = 0;
      for (unsigned k = 0; k < count; ++k) sum += mmt_stm_read_u64(thread, &accounts[k]);
      if (sum != 0) failures = failures + 1;
    }
    MMT_STM_END(thread);
  }
  mmt_stm_thread_destroy(thread);
  return failures;
}

int c_widths(mmt_stm_memory* memory) {
  mmt_stm_thread* const thread = mmt_stm_thread_create(memory);
  struct {
    uint8_t a;
    uint16_t b;
    uint32_t c;
    uint64_t d;
    void* e;
    char text[21];
  } x = {0, 0, 0, 0, NULL, "twenty bytes of text"};
  char copy[21] = "";
  volatile int attempts = 0;
  volatile int good = 0;
  MMT_STM_BEGIN(thread) {
    mmt_stm_write_u8(thread, &x.a, 1);
    mmt_stm_write_u16(thread, &x.b, 2);
    mmt_stm_write_u32(thread, &x.c, 3);
    mmt_stm_write_u64(thread, &x.d, 4);
    mmt_stm_write_pointer(thread, &x.e, &x);
    mmt_stm_write(thread, x.text + 1, "TWENTY", 6);
    mmt_stm_read(thread, copy, x.text, sizeof copy);
    good = mmt_stm_read_u8(thread, &x.a) == 1 && mmt_stm_read_u16(thread, &x.b) == 2 &&
           mmt_stm_read_u32(thread, &x.c) == 3 && mmt_stm_read_pointer(thread, &x.e) == &x;
    attempts = attempts + 1;
    if (attempts < 3) mmt_stm_retry(thread);
    mmt_stm_become_irrevocable(thread);
  }
  MMT_STM_END(thread);
  const int same = copy[0] == 't' && copy[1] == 'T' && copy[6] == 'Y' && copy[19] == 't';
  const int done = x.a + x.b + (int)x.c + (int)x.d == 10 && x.e == &x && attempts == 3;
  mmt_stm_thread_destroy(thread);
  return good && same && done;
}

int c_conflict(mmt_stm_memory* memory, uint64_t* held, uint64_t* wanted) {
  mmt_stm_thread* const holder = mmt_stm_thread_create(memory);
  mmt_stm_thread* const other = mmt_stm_thread_create(memory);
  volatile int attempts = 0;
  MMT_STM_BEGIN(holder) {
    mmt_stm_write_u64(holder, held, 1);
    MMT_STM_BEGIN(other) {
      attempts = attempts + 1;
      if (attempts > 1) mmt_stm_cancel(other);
      mmt_stm_write_u64(other, wanted, 2);
    }
    MMT_STM_END(other);
  }
  MMT_STM_END(holder);
  const int done = mmt_stm_outcome(holder) == 0 && mmt_stm_outcome(other) == ECANCELED;
  mmt_stm_thread_destroy(other);
  mmt_stm_thread_destroy(holder);
  return done;
}

int c_blocks(mmt_stm_memory* memory, unsigned rounds) {
  mmt_stm_thread* const thread = mmt_stm_thread_create(memory);
  for (volatile unsigned i = 0; i < rounds; i = i + 1) {
    MMT_STM_BEGIN(thread) {
      void* const block = mmt_stm_allocate(thread, 24);
      mmt_stm_free(thread, block, 24);
    }
    MMT_STM_END(thread);
  }
  mmt_stm_thread_destroy(thread);
  return 1;
}

void c_outside(mmt_stm_memory* memory, int what) {
  mmt_stm_thread* const thread = mmt_stm_thread_create(memory);
  uint64_t x = 0;
  MMT_STM_BEGIN(thread) { mmt_stm_write_u64(thread, &x, 1); }
  MMT_STM_END(thread);
  switch (what) {
    case kReads:
      (void)mmt_stm_read_u64(thread, &x);
      break;
    case kWrites:
      mmt_stm_write_u64(thread, &x, 2);
      break;
    case kAllocates:
      (void)mmt_stm_allocate(thread, 8);
      break;
    case kFrees:
      mmt_stm_free(thread, &x, 8);
      break;
    case kRetries:
      mmt_stm_retry(thread);
      break;
    case kCancels:
      mmt_stm_cancel(thread);
      break;
    default:
      mmt_stm_become_irrevocable(thread);
  }
}

void c_left_twice(mmt_stm_memory* memory) {
  mmt_stm_thread* const thread = mmt_stm_thread_create(memory);
  uint64_t x = 0;
  for (volatile int i = 0; i < 2; i = i + 1) {
    MMT_STM_BEGIN(thread) {
      mmt_stm_write_u64(thread, &x, 1);
      if (x == 0) break;
    }
    MMT_STM_END(thread);
  }
}

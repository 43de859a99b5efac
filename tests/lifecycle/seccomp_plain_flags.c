// A program goes on allocating when it forbids itself the flags and advice that no plain malloc
// uses. The same holds for whole calls that one can do without. The program forbids these by
// whatever errno or by its death. The blocks of calloc read as zero.
// @only mmt

#include <malloc.h>
#include <sys/mman.h>

#include "support/processes.h"
#include "support/seccomp.h"

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF_EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), yes, no)
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)

struct sandbox {
  int error;             // 0: it is killed
  bool without_madvise;  // else some advice is known
  bool without_mremap;
};

static void confine(const struct sandbox* box) {
  const unsigned refuse =
      box->error == 0 ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | (unsigned)box->error;
  const unsigned plain = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  struct sock_filter program[] = {
      LOAD(nr),
      IF_EQUAL(box->without_mremap ? SYS_mremap : -1, 0, 1),
      ANSWER(refuse),
      IF_EQUAL(box->without_madvise ? SYS_madvise : -1, 0, 1),
      ANSWER(refuse),
      IF_EQUAL(SYS_madvise, 0, 4),
      LOAD(args[2]),
      IF_EQUAL(MADV_DONTNEED, 1, 0),
      IF_EQUAL(MADV_FREE, 0, 8),
      ANSWER(SECCOMP_RET_ALLOW),
      IF_EQUAL(SYS_mremap, 0, 2),
      LOAD(args[3]),
      IF_EQUAL(MREMAP_MAYMOVE, 5, 4),
      IF_EQUAL(SYS_mmap, 0, 4),
      LOAD(args[3]),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~plain),
      IF_EQUAL(0, 1, 0),
      ANSWER(refuse),
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog whole = {sizeof program / sizeof program[0], program};
  EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0);
}

static void large_blocks(void) {
  char* kept[16] = {NULL};
  for (size_t i = 0; i < 200; ++i) {
    const size_t bytes = (size_t)(1 + i % 7) << (i % 50 == 0 ? 26 : 19);
    const size_t step = i % 50 == 0 ? 1 << 20 : 4096;
    char** const place = &kept[i % 16];
    if (i % 3 == 0) {
      free(*place);
      *place = calloc(1, bytes);
      for (size_t at = 0; at < bytes; at += step) EXPECT((*place)[at] == 0, "offset %zu", at);
    } else {
      *place = realloc(*place, bytes);
    }
    EXPECT(*place != NULL, "%zu bytes", bytes);
    for (size_t at = 0; at < bytes; at += step) (*place)[at] = 1;
  }
  for (int i = 0; i < 16; ++i) free(kept[i]);
  void* aligned = NULL;
  EXPECT(posix_memalign(&aligned, 1 << 21, 5 << 20) == 0);
  free(aligned);
}

static void confined(void* box) {
  allocate_volume(16);
  confine(box);
  allocate_volume(64);
  large_blocks();
  malloc_trim(0);
  large_blocks();
  _exit(0);
}

int main(void) {
  static struct sandbox boxes[] = {{EINVAL, false, false},
                                   {EPERM, true, true},
                                   {ENOSYS, true, false},
                                   {EINVAL, false, true},
                                   {0, false, false}};
  for (int i = 0; i < 5; ++i) expect_success(fork_child(confined, &boxes[i]));
  return 0;
}

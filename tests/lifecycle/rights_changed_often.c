// A server takes its client's rights for each request, and its own again, and allocates between: no
// thread is started for each of them.
// @root
// @timeout 240
// @needs no-filter

#include <sched.h>
#include <sys/fsuid.h>

#include "support/ordinary_user.h"
#include "support/rights.h"

enum { kRequests = 120, kBlocks = 20000, kMostSeen = 4096 };

static bool seteuid_and_back(void) { return seteuid(kNobody) == 0 && seteuid(0) == 0; }
static bool setegid_and_back(void) { return setegid(kNobody) == 0 && setegid(0) == 0; }
static bool setresuid_and_back(void) {
  return setresuid(-1, kNobody, 0) == 0 && setresuid(-1, 0, 0) == 0;
}
static bool setfsuid_and_back(void) { return setfsuid(kNobody) == 0 && setfsuid(0) == kNobody; }
static bool raw_and_back(void) {
  return syscall(SYS_setresgid, -1, kNobody, -1) == 0 && syscall(SYS_setresgid, -1, 0, -1) == 0;
}
static bool capset_and_back(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct all[2];
  EXPECT(syscall(SYS_capget, &header, all) == 0);
  struct __user_cap_data_struct fewer[2] = {all[0], all[1]};
  fewer[0].effective = 0;
  return capset(&header, fewer) == 0 && capset(&header, all) == 0;
}
static bool chroot_again(void) { return chroot("/") == 0; }
static bool keep_capabilities(void) {
  return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) == 0;
}
static bool new_name_space(void) { return unshare(CLONE_NEWUTS) == 0; }

static bool (*const changes[])(void) = {
    seteuid_and_back, setegid_and_back, setresuid_and_back, setfsuid_and_back, raw_and_back,
    capset_and_back,  chroot_again,     keep_capabilities,  new_name_space,
};

static struct program_threads program;
static pid_t seen[kMostSeen];
static int seen_count;

static void note_once(pid_t thread, void* arg) {
  (void)arg;
  for (int i = 0; i < seen_count; ++i)
    if (seen[i] == thread) return;
  EXPECT(seen_count < kMostSeen);
  seen[seen_count++] = thread;
}

static void child(void* arg) {
  bool (*const change)(void) = *(bool (*const*)(void))arg;
  static char* blocks[kBlocks];
  program.ids[0] = getpid();
  program.count = 1;
  for (int i = 0; i < kBlocks; ++i) EXPECT((blocks[i] = (char*)malloc(100 + (size_t)i % 4000)));
  for (int i = 0; i < kRequests; ++i) {
    EXPECT(change());
    for (int k = 0; k < 100; ++k) {
      const int at = (i * 100 + k) % kBlocks;
      free(blocks[at]);
      EXPECT((blocks[at] = (char*)malloc(100 + (size_t)i * 37 % 4000)));
      memset(blocks[at], 1, 100);
    }
    for_other_threads(&program, note_once, NULL);
  }
  EXPECT(seen_count <= 8, "%d threads for %d changes", seen_count, kRequests);
}

int main(void) {
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i)
    expect_success(fork_child(child, (void*)&changes[i]));
  return 0;
}

// The program closes every descriptor it did not open, again and again, and puts files of its own
// in their place: the library holds none.

#include "support/processes.h"

static void child(void* arg) {
  (void)arg;
  for (int fd = 3; fd < 1024; ++fd) close(fd);
  allocate_volume(32);
}

int main(void) {
  allocate_volume(32);
  for (int round = 0; round < 5; ++round) {
    for (int fd = 3; fd < 1024; ++fd) close(fd);
    int first = open("/dev/zero", O_RDWR);
    EXPECT(first == 3, "%d", first);
    for (int fd = 4; fd < 64; ++fd) EXPECT(dup2(first, fd) == fd);
    allocate_volume(64);
    usleep(20000);
    expect_success(fork_child(child, NULL));
    for (int fd = 3; fd < 64; ++fd) EXPECT(close(fd) == 0, "%d", fd);
  }
  return 0;
}

// A program that is started with standard input, output and error closed gets descriptors 0, 1 and
// 2 for its first files. Nothing of the library's is written into these files, not even about a
// wrong option.
// @env MMT_OPTIONS=nonsense=1
// @stderr-not[glibc] .

#include "support/processes.h"

int main(int argc, char** argv) {
  if (argc == 1) {
    pid_t pid = fork();
    if (pid == 0) {
      close(0), close(1), close(2);
      execl("/proc/self/exe", argv[0], "closed", (char*)NULL);
      _exit(98);
    }
    expect_success(pid);
    for (int i = 0; i < 3; ++i) {
      char name[8] = {'f', (char)('0' + i), 0};
      char text[64];
      EXPECT(read_small_file(name, text, sizeof text) == 3 && strcmp(text, "abc") == 0, "%s: %s",
             name, text);
    }
    return 0;
  }
  for (int i = 0; i < 3; ++i) {
    char name[8] = {'f', (char)('0' + i), 0};
    if (open(name, O_RDWR | O_CREAT | O_TRUNC, 0644) != i) _exit(50 + i);
    if (write(i, "abc", 3) != 3) _exit(60 + i);
  }
  allocate_volume(128);
  int next = open("/dev/null", O_RDONLY);
  return next == 3 ? 0 : 70;
}

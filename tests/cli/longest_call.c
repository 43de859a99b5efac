// The program allocates and frees for a second. Now and then it asks for what nobody has, for the
// figures, and for a trim. It prints three numbers. The first is how long its longest call took, in
// milliseconds. The second is how many times the program looked for another thread of the process
// in a sleep of a second or more. The third is how many times it saw one. A thread that wakes
// meanwhile may be taken for one that sleeps long.
#include <dirent.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int sleeps_long(const char* thread) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%.16s/syscall", thread);
  FILE* file = fopen(path, "r");
  long number = -1;
  unsigned long arguments[3];
  if (file == NULL) return 0;
  const int read =
      fscanf(file, "%ld %lx %lx %lx", &number, &arguments[0], &arguments[1], &arguments[2]);
  fclose(file);
  if (read != 4 || (number != SYS_nanosleep && number != SYS_clock_nanosleep)) return 0;
  const struct timespec* time = (void*)arguments[number == SYS_nanosleep ? 0 : 2];
  return time->tv_sec >= 1;
}

static int another_sleeps(void) {
  int found = 0;
  DIR* threads = opendir("/proc/self/task");
  for (struct dirent* one; threads != NULL && (one = readdir(threads)) != NULL;) {
    if (one->d_name[0] != '.' && atoi(one->d_name) != getpid()) found |= sleeps_long(one->d_name);
  }
  if (threads != NULL) closedir(threads);
  return found;
}

static uint64_t longer(uint64_t longest, uint64_t since) {
  const uint64_t time = now() - since;
  return time > longest ? time : longest;
}

int main(void) {
  static void* slots[4000];
  uint64_t longest = 0;
  uint64_t random = 1;
  int looks = 0;
  int times_asleep = 0;
  const uint64_t start = now();
  uint64_t next_look = start;
  for (uint64_t before = start; before < start + 1000000000u;) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const size_t slot = (random >> 33) % 4000;
    free(slots[slot]);
    const size_t bytes = 16 + (random >> 20) % 600;
    slots[slot] = malloc(bytes);
    if (slots[slot] == NULL) return 1;
    memset(slots[slot], 1, bytes);
    const int is_time_to_look = before > next_look;
    if (is_time_to_look && malloc((size_t)1 << 46) != NULL) return 1;
    longest = longer(longest, before);
    if (is_time_to_look) {
      before = now();
      mallinfo2();
      longest = longer(longest, before);
      before = now();
      malloc_trim(0);
      longest = longer(longest, before);
      ++looks;
      times_asleep += another_sleeps();
      next_look = now() + 100000000u;
    }
    before = now();
  }
  printf("%lu %d %d\n", (unsigned long)(longest / 1000000), looks, times_asleep);
  return 0;
}

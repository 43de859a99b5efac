// The functions tell what each thread of the process may do, as the kernel tells it. They also tell
// whether a thread that the program has not made may do more than those that it has.
#pragma once

#include <dirent.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "support/processes.h"

int capset(cap_user_header_t header, const cap_user_data_t data);

enum { kCapabilitySets = 5, kMostThreads = 8, kText = 4096 };

struct rights {
  bool is_there;
  uint64_t capabilities[kCapabilitySets];  // inheritable, permitted, effective, bounding, ambient
  int no_new_privileges;
  unsigned users[4];
  unsigned groups[4];
  char more[512];  // supplementary groups
  int niceness;
  int class;  // weak to strong
};

__attribute__((unused)) static int class_of(pid_t thread) {
  switch (sched_getscheduler(thread)) {
    case SCHED_IDLE:
      return 0;
    case SCHED_BATCH:
      return 1;
    case SCHED_OTHER:
      return 2;
    default:
      return 3;
  }
}

__attribute__((unused)) static const char* line_of(const char* text, const char* key) {
  const char* at = strstr(text, key);
  EXPECT(at != NULL, "%s", key);
  return at + strlen(key);
}

__attribute__((unused)) static struct rights rights_of(pid_t thread) {
  static const char* const keys[] = {"\nCapInh:\t", "\nCapPrm:\t", "\nCapEff:\t", "\nCapBnd:\t",
                                     "\nCapAmb:\t"};
  struct rights it = {0};
  char path[64];
  char text[kText];
  snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)thread);
  if (read_small_file(path, text, sizeof text) <= 0) return it;
  for (int i = 0; i < kCapabilitySets; ++i)
    it.capabilities[i] = strtoull(line_of(text, keys[i]), NULL, 16);
  it.no_new_privileges = atoi(line_of(text, "\nNoNewPrivs:\t"));
  unsigned* u = it.users;
  unsigned* g = it.groups;
  EXPECT(sscanf(line_of(text, "\nUid:\t"), "%u %u %u %u", u, u + 1, u + 2, u + 3) == 4);
  EXPECT(sscanf(line_of(text, "\nGid:\t"), "%u %u %u %u", g, g + 1, g + 2, g + 3) == 4);
  const char* more = line_of(text, "\nGroups:\t");
  snprintf(it.more, sizeof it.more, "%.*s", (int)strcspn(more, "\n"), more);
  it.niceness = getpriority(PRIO_PROCESS, (id_t)thread);
  it.class = class_of(thread);
  it.is_there = it.class >= 0;
  return it;
}

// The right of root's user or group contains that of every other user or group.
__attribute__((unused)) static bool no_more_ids(const unsigned* mine, const unsigned* theirs) {
  for (int i = 0; i < 4; ++i)
    if (mine[i] != theirs[i] && theirs[i] != 0) return false;
  return true;
}

// Lists of numbers, each with a blank behind.
__attribute__((unused)) static bool no_more_groups(const char* mine, const char* theirs) {
  char one[16];
  for (int size; sscanf(mine, "%14s%n", one, &size) == 1; mine += size) {
    strcat(one, " ");
    const char* at = strstr(theirs, one);
    while (at != NULL && at != theirs && at[-1] != ' ') at = strstr(at + 1, one);
    if (at == NULL) return false;
  }
  return true;
}

// What `mine` has beyond `theirs`, NULL when there is nothing.
__attribute__((unused)) static const char* more_than(const struct rights* mine,
                                                     const struct rights* theirs) {
  for (int i = 0; i < kCapabilitySets; ++i)
    if ((mine->capabilities[i] & ~theirs->capabilities[i]) != 0) return "capabilities";
  if (mine->no_new_privileges < theirs->no_new_privileges) return "privileges by exec";
  if (!no_more_ids(mine->users, theirs->users)) return "user";
  if (!no_more_ids(mine->groups, theirs->groups)) return "group";
  if (!no_more_groups(mine->more, theirs->more)) return "supplementary groups";
  if (mine->class > theirs->class) return "class";
  if (mine->class < 3 && theirs->class < 3 && mine->niceness < theirs->niceness) return "niceness";
  return NULL;
}

// The threads that the program has made, its first one included.
struct program_threads {
  pid_t ids[kMostThreads];
  int count;
};

__attribute__((unused)) static bool is_of_program(const struct program_threads* program,
                                                  pid_t thread) {
  for (int i = 0; i < program->count; ++i)
    if (program->ids[i] == thread) return true;
  return false;
}

// Calls note(thread, argument) for each thread that the program has not made.
__attribute__((unused)) static void for_other_threads(const struct program_threads* program,
                                                      void (*note)(pid_t, void*), void* argument) {
  DIR* folder = opendir("/proc/self/task");
  EXPECT(folder != NULL);
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    const pid_t thread = (pid_t)atoi(entry->d_name);
    if (thread != 0 && !is_of_program(program, thread)) note(thread, argument);
  }
  closedir(folder);
}

struct excess {
  const struct program_threads* program;
  const char* what;
};

__attribute__((unused)) static void note_excess(pid_t thread, void* argument) {
  struct excess* it = (struct excess*)argument;
  const struct rights mine = rights_of(thread);
  for (int i = 0; mine.is_there && i < it->program->count; ++i) {
    const struct rights theirs = rights_of(it->program->ids[i]);
    const char* more = theirs.is_there ? more_than(&mine, &theirs) : NULL;
    // It may have ended meanwhile, and no longer be there to be compared.
    if (more != NULL && rights_of(thread).is_there) it->what = more;
  }
}

// What a thread of others may do that one of the program's may not; NULL when there is nothing.
__attribute__((unused)) static const char* excess_beside(const struct program_threads* program) {
  struct excess it = {program, NULL};
  for_other_threads(program, note_excess, &it);
  return it.what;
}

// A system call past libc's names.
__attribute__((unused)) static long inline_call(long number, long a, long b, long c, long d,
                                                long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                   : "rcx", "r11", "memory");
  if (result >= 0) return result;
  errno = (int)-result;
  return -1;
}

// The three ways to make a call of which libc has no more than syscall().
enum way { kByName, kBySyscall, kInline, kWays };

__attribute__((unused)) static long call_by(enum way way, long number, long a, long b, long c,
                                            long d, long e) {
  return way == kInline ? inline_call(number, a, b, c, d, e) : syscall(number, a, b, c, d, e, 0);
}

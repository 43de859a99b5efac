// Interposed definitions of those of libc's functions that an allocator may call.
#pragma once

#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "support/interposed.h"

GOES_ON(int, clock_gettime, (clockid_t clock, struct timespec* now), (clock, now))
GOES_ON(unsigned long, getauxval, (unsigned long type), (type))
GOES_ON(char*, getenv, (const char* name), (name))
GOES_ON(char*, secure_getenv, (const char* name), (name))
GOES_ON(int*, __errno_location, (void), ())
GOES_ON(int, sched_getcpu, (void), ())
GOES_ON(int, sched_yield, (void), ())
GOES_ON(int, sched_getaffinity, (pid_t who, size_t size, cpu_set_t* set), (who, size, set))
GOES_ON(int, getrlimit, (__rlimit_resource_t what, struct rlimit* limit), (what, limit))
GOES_ON(ssize_t, readlink, (const char* path, char* text, size_t size), (path, text, size))
GOES_ON(int, dl_iterate_phdr, (int (*see)(struct dl_phdr_info*, size_t, void*), void* data),
        (see, data))
GOES_ON(int, pthread_key_create, (pthread_key_t * key, void (*end)(void*)), (key, end))
GOES_ON(int, pthread_setspecific, (pthread_key_t key, const void* value), (key, value))
GOES_ON(void*, pthread_getspecific, (pthread_key_t key), (key))
GOES_ON(pthread_t, pthread_self, (void), ())
GOES_ON(int, pthread_attr_init, (pthread_attr_t * attributes), (attributes))
GOES_ON(int, pthread_attr_setstack, (pthread_attr_t * attributes, void* stack, size_t size),
        (attributes, stack, size))
GOES_ON(int, pthread_create,
        (pthread_t * thread, const pthread_attr_t* attributes, void* (*run)(void*), void* data),
        (thread, attributes, run, data))
GOES_ON(int, pthread_sigmask, (int how, const sigset_t* set, sigset_t* before), (how, set, before))
GOES_ON(int, sigfillset, (sigset_t * set), (set))
GOES_ON(int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t* kind),
        (mutex, kind))
GOES_ON(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
GOES_ON(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
GOES_ON(int, pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec* until),
        (mutex, until))
GOES_ON(int, pthread_mutex_unlock, (pthread_mutex_t * mutex), (mutex))
GOES_ON(int, sem_init, (sem_t * semaphore, int shared, unsigned value), (semaphore, shared, value))
GOES_ON(int, sem_post, (sem_t * semaphore), (semaphore))
GOES_ON(int, sem_trywait, (sem_t * semaphore), (semaphore))
GOES_ON(int, sem_wait, (sem_t * semaphore), (semaphore))

// Those of <string.h> that libc chooses by the CPU are written out: dlsym calls some itself.
void* memmove(void* to, const void* from, size_t size) {
  char* t = to;
  const char* f = from;
  visit();
  if (t < f)
    for (size_t i = 0; i < size; ++i) t[i] = f[i];
  else
    while (size-- != 0) t[size] = f[size];
  return to;
}
void* memcpy(void* to, const void* from, size_t size) {
  visit();
  for (size_t i = 0; i < size; ++i) ((char*)to)[i] = ((const char*)from)[i];
  return to;
}
void* memset(void* to, int byte, size_t size) {
  visit();
  for (size_t i = 0; i < size; ++i) ((char*)to)[i] = (char)byte;
  return to;
}
int memcmp(const void* left, const void* right, size_t size) {
  const unsigned char* a = left;
  const unsigned char* b = right;
  visit();
  for (size_t i = 0; i < size; ++i)
    if (a[i] != b[i]) return a[i] - b[i];
  return 0;
}
void* memchr(const void* text, int byte, size_t size) {
  visit();
  for (size_t i = 0; i < size; ++i)
    if (((const char*)text)[i] == (char)byte) return (char*)text + i;
  return NULL;
}
void* memrchr(const void* text, int byte, size_t size) {
  visit();
  while (size-- != 0)
    if (((const char*)text)[size] == (char)byte) return (char*)text + size;
  return NULL;
}
size_t strlen(const char* text) {
  size_t size = 0;
  visit();
  while (text[size] != 0) ++size;
  return size;
}
int strncmp(const char* left, const char* right, size_t most) {
  visit();
  for (size_t i = 0; i < most; ++i)
    if (left[i] != right[i] || left[i] == 0)
      return (unsigned char)left[i] - (unsigned char)right[i];
  return 0;
}
int strcmp(const char* left, const char* right) {
  visit();
  while (*left != 0 && *left == *right) ++left, ++right;
  return (unsigned char)*left - (unsigned char)*right;
}
char* strchr(const char* text, int character) {
  visit();
  for (; *text != (char)character; ++text)
    if (*text == 0) return NULL;
  return (char*)text;
}
char* strrchr(const char* text, int character) {
  const char* found = NULL;
  visit();
  for (;; ++text) {
    if (*text == (char)character) found = text;
    if (*text == 0) return (char*)found;
  }
}
size_t strcspn(const char* text, const char* ends) {
  visit();
  for (size_t size = 0;; ++size)
    for (const char* end = ends;; ++end) {
      if (text[size] == *end) return size;
      if (*end == 0) break;
    }
}
char* strstr(const char* text, const char* wanted) {
  visit();
  for (;; ++text) {
    size_t i = 0;
    while (wanted[i] != 0 && text[i] == wanted[i]) ++i;
    if (wanted[i] == 0) return (char*)text;
    if (*text == 0) return NULL;
  }
}

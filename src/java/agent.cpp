// libmmt-java.so: an agent that a Java machine loads (-agentpath:PATH=fd=N,precision=BYTES). It
// tells of each object that is allocated after the machine's start, and of each that a collection
// frees.
//
// It forces a collection every PRECISION bytes of allocation. So a death is told at most so many
// bytes after the object could be reached no longer. Between two collections the machine's own
// come.
#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "java/pipe.h"

namespace mmt::java {

namespace {

Pipe records;
uint64_t precision = 1 << 20;
std::atomic<uint64_t> since_collection{0};  // bytes
std::atomic<bool> collecting{false};
std::atomic<uint64_t> collections{0};
std::atomic<uint32_t> threads{0};

uint32_t thread_number() {
  static thread_local uint32_t number = UINT32_MAX;
  if (number == UINT32_MAX) {
    number = threads.fetch_add(1, std::memory_order_relaxed);  // a name, nothing hangs on it
    records.add(RecordKind::kThreadStart, number);
  }
  return number;
}

// Frees wait in the machine until a thread of its own tells them. Switched off, the event is
// delivered at once, by the thread that switches.
void tell_frees(jvmtiEnv* machine) {
  machine->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_OBJECT_FREE, nullptr);
}

void expect_frees(jvmtiEnv* machine) {
  machine->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, nullptr);
}

void collect(jvmtiEnv* machine) {
  machine->ForceGarbageCollection();
  tell_frees(machine);
  expect_frees(machine);
  records.add(RecordKind::kCollection, thread_number(),
              collections.fetch_add(1, std::memory_order_relaxed) + 1);
}

void JNICALL on_allocate(jvmtiEnv* machine, JNIEnv*, jthread, jobject object, jclass, jlong size) {
  const auto bytes = static_cast<uint64_t>(size);
  machine->SetTag(object, static_cast<jlong>(records.allocate(thread_number(), bytes)));
  // Relaxed: a count alone; two threads that cross the line at once are told apart by `collecting`.
  if (since_collection.fetch_add(bytes, std::memory_order_relaxed) + bytes < precision) return;
  if (collecting.exchange(true, std::memory_order_acquire)) return;
  since_collection.store(0, std::memory_order_relaxed);
  collect(machine);
  collecting.store(false, std::memory_order_release);  // pairs with the exchange
}

void JNICALL on_free(jvmtiEnv*, jlong tag) {
  records.add(RecordKind::kFree, thread_number(), static_cast<uint64_t>(tag));
}

void JNICALL on_thread_end(jvmtiEnv*, JNIEnv*, jthread) {
  records.add(RecordKind::kThreadEnd, thread_number());
}

void JNICALL on_start(jvmtiEnv* machine, JNIEnv*, jthread) {
  expect_frees(machine);
  for (const jvmtiEvent one : {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, JVMTI_EVENT_THREAD_END})
    machine->SetEventNotificationMode(JVMTI_ENABLE, one, nullptr);
  // Threads have buffers from before, from which objects come unseen. A collection takes them away.
  machine->ForceGarbageCollection();
}

void JNICALL on_end(jvmtiEnv* machine, JNIEnv*) {
  machine->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, nullptr);
  tell_frees(machine);
  records.close(thread_number());
}

jint refuse(const char* why) {
  std::fprintf(stderr, "mmt: the agent in the Java machine cannot work: %s\n", why);
  return JNI_ERR;
}

// "fd=N,precision=BYTES". False where it is something else.
bool read_options(const char* text, int& descriptor) {
  unsigned long long bytes = 0;
  char rest = 0;
  if (text == nullptr ||
      std::sscanf(text, "fd=%d,precision=%llu%c", &descriptor, &bytes, &rest) != 2)
    return false;
  precision = bytes;
  return bytes > 0 && descriptor >= 0;
}

bool enable(jvmtiEnv* machine) {
  jvmtiCapabilities wanted = {};
  wanted.can_tag_objects = 1;
  wanted.can_generate_object_free_events = 1;
  wanted.can_generate_sampled_object_alloc_events = 1;
  jvmtiEventCallbacks calls = {};
  calls.VMInit = on_start;
  calls.VMDeath = on_end;
  calls.ThreadEnd = on_thread_end;
  calls.ObjectFree = on_free;
  calls.SampledObjectAlloc = on_allocate;
  bool done = machine->AddCapabilities(&wanted) == JVMTI_ERROR_NONE &&
              machine->SetEventCallbacks(&calls, sizeof calls) == JVMTI_ERROR_NONE;
  // Every object. Before there are threads: each takes the interval of its time as its first.
  done = done && machine->SetHeapSamplingInterval(0) == JVMTI_ERROR_NONE;
  for (const jvmtiEvent one : {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH})
    done =
        done && machine->SetEventNotificationMode(JVMTI_ENABLE, one, nullptr) == JVMTI_ERROR_NONE;
  return done;
}

}  // namespace

}  // namespace mmt::java

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* java, char* options, void*) {
  using namespace mmt::java;
  int descriptor = -1;
  if (!read_options(options, descriptor)) return refuse("it takes fd=N,precision=BYTES");
  jvmtiEnv* machine = nullptr;
  if (java->GetEnv(reinterpret_cast<void**>(&machine), JVMTI_VERSION_11) != JNI_OK)
    return refuse("Java 11 or later is needed");
  if (!enable(machine)) return refuse("this machine does not tell of allocations");
  records.open(descriptor);
  return JNI_OK;
}

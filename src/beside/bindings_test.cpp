// Bindings: the program's own calls of a function lead elsewhere and back.
#include "beside/bindings.h"

#include <dlfcn.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <mmt/core/compiler.h>

namespace mmt::beside {
namespace {

// A function of libc's that nothing else in this program calls or replaces.
pid_t another(pid_t) { return -7; }

MMT_NOINLINE pid_t group_by_name() { return ::getpgid(0); }
// A program that takes a function's address itself calls it by another way.
void* libcs(const char* name) { return ::dlsym(RTLD_DEFAULT, name); }

TEST(Binding, LeadsElsewhereAndBack) {
  Binding binding;
  binding.lead_direct(true);  // before it is found nothing happens
  const pid_t group = group_by_name();
  binding.find("getpgid", libcs("getpgid"), reinterpret_cast<void*>(another));
  if (!binding.is_found()) GTEST_SKIP() << "this program was linked with -z now";
  EXPECT_EQ(group_by_name(), group);
  binding.update();
  EXPECT_EQ(group_by_name(), -7);
  binding.lead_direct(false);
  EXPECT_EQ(group_by_name(), group);
  binding.lead_direct(true);
  EXPECT_EQ(group_by_name(), -7);
  binding.lead_direct(false);
}

TEST(Binding, WhatTheProgramDoesNotCallIsNotFound) {
  Binding binding;
  binding.find("no such function", nullptr, nullptr);
  EXPECT_FALSE(binding.is_found());
  binding.lead_direct(true);
}

TEST(Binding, WhatSomebodyElseHasPutThereStays) {
  Binding binding;
  binding.find("getpgid", libcs("getsid"), reinterpret_cast<void*>(another));
  const pid_t group = group_by_name();
  binding.lead_direct(true);
  EXPECT_EQ(group_by_name(), group);
}

}  // namespace
}  // namespace mmt::beside

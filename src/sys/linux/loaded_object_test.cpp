// What the objects of this program say of themselves, against what the dynamic linker says.
#include "sys/loaded_object.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include <gtest/gtest.h>

namespace mmt::sys {
namespace {

int of_this_program = 1;
const int sealed_in_this_program[2] = {1, 2};

LoadedObject libc() { return object_of(::dlsym(RTLD_DEFAULT, "getppid")); }

TEST(LoadedObject, IsFoundByAnAddress) {
  EXPECT_TRUE(libc().is_libc());
  const LoadedObject program = object_of(&of_this_program);
  EXPECT_TRUE(program.is_loaded());
  EXPECT_FALSE(program.is_libc());
  EXPECT_TRUE(program.is(object_of(sealed_in_this_program)));
  EXPECT_FALSE(program.is(libc()));
  EXPECT_TRUE(program.has(&of_this_program));
  EXPECT_GE(reinterpret_cast<uintptr_t>(&of_this_program), program.extent().begin);
  EXPECT_LT(reinterpret_cast<uintptr_t>(&of_this_program), program.extent().end);
  EXPECT_FALSE(object_of(nullptr).is_loaded());
  EXPECT_EQ(program_object().base(), program.base());
}

TEST(LoadedObject, OffersWhatTheDynamicLinkerFinds) {
  const SymbolTable names = libc().names();
  for (const char* name : {"getppid", "environ", "qsort", "pthread_create"}) {
    const auto* const symbol = names.find(name);
    ASSERT_NE(symbol, nullptr) << name;
    EXPECT_STREQ(names.name_of(*symbol), name);
  }
  EXPECT_EQ(names.address_of(*names.find("getppid")), ::dlsym(RTLD_DEFAULT, "getppid"));
  EXPECT_EQ(names.find("no_such_name"), nullptr);
  // libc asks for it, and does not have it.
  EXPECT_EQ(names.find("__tls_get_addr"), nullptr);
  EXPECT_TRUE(names.asks_for("__tls_get_addr"));
  EXPECT_FALSE(names.asks_for("getppid"));
  EXPECT_FALSE(names.asks_for("no_such_name"));
}

TEST(LoadedObject, OffersEachNameThatItTells) {
  size_t count = 0;
  const LoadedObject object = libc();
  object.names().for_each([&](const SymbolTable::Symbol& symbol) {
    ++count;
    EXPECT_NE(object.names().find(object.names().name_of(symbol)), nullptr);
  });
  EXPECT_GT(count, 1000u);
}

TEST(LoadedObject, OfNoneHasNothing) {
  const LoadedObject none;
  EXPECT_FALSE(none.is_libc());
  EXPECT_FALSE(none.has(&none));
  EXPECT_EQ(none.names().find("malloc"), nullptr);
  EXPECT_STREQ(none.names().own_name(), "");
  none.names().for_each([](const SymbolTable::Symbol&) { FAIL(); });
  EXPECT_EQ(none.protection_of(&none), PROT_NONE);
}

TEST(LoadedObject, LeadsToNamesOfOthers) {
  size_t count = 0;
  visit_loaded_objects([&](const LoadedObject& object) {
    for (const auto all : {object.relocations(), object.calls()}) {
      for (const auto& one : all) {
        if (!LoadedObject::is_address(one) || std::strcmp(object.name_of(one), "getppid") != 0)
          continue;
        ++count;
        EXPECT_TRUE(*object.place_of(one) == ::dlsym(RTLD_DEFAULT, "getppid") ||
                    object.has(*object.place_of(one)));  // not called yet
      }
    }
    return false;
  });
  EXPECT_GE(count, 1u) << ::getppid();
}

TEST(LoadedObject, KnowsWhatMayBeDoneAtAPlace) {
  const LoadedObject program = object_of(&of_this_program);
  EXPECT_EQ(program.protection_of(&of_this_program), PROT_READ | PROT_WRITE);
  EXPECT_EQ(program.protection_of(sealed_in_this_program), PROT_READ);
  EXPECT_EQ(program.protection_of(reinterpret_cast<void*>(&libc)), PROT_READ | PROT_EXEC);
}

TEST(Unsealed, MayBeWrittenAndIsSealedAgain) {
  const LoadedObject program = object_of(&of_this_program);
  auto* const place = const_cast<int*>(sealed_in_this_program);
  __asm__("" : : "r"(place) : "memory");
  {
    const Unsealed open(program, place, place + 1);
    ASSERT_TRUE(open.is_open());
    *const_cast<volatile int*>(place) = 7;
  }
  EXPECT_EQ(*const_cast<volatile int*>(place), 7);
  EXPECT_DEATH(*const_cast<volatile int*>(place) = 8, "");
}

TEST(SymbolName, HasTheHashOfTheTable) {
  static_assert(gnu_hash_of("") == 5381);
  static_assert(gnu_hash_of("printf") == 0x156b2bb8);
  static_assert(SymbolName("printf") == SymbolName("printf"));
  static_assert(!(SymbolName("printf") == SymbolName("print")));
}

}  // namespace
}  // namespace mmt::sys

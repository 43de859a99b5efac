#include "names/cxx_stand_in.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>

#include "sys/loaded_object.h"

namespace mmt::names {
namespace {

using sys::LoadedObject;
using sys::SymbolName;
using Symbol = sys::SymbolTable::Symbol;

// The forms of [new.delete], as in cxx_names.h.
constexpr SymbolName kForms[] = {"_Znwm",
                                 "_Znam",
                                 "_ZnwmRKSt9nothrow_t",
                                 "_ZnamRKSt9nothrow_t",
                                 "_ZnwmSt11align_val_t",
                                 "_ZnamSt11align_val_t",
                                 "_ZnwmSt11align_val_tRKSt9nothrow_t",
                                 "_ZnamSt11align_val_tRKSt9nothrow_t",
                                 "_ZdlPv",
                                 "_ZdaPv",
                                 "_ZdlPvm",
                                 "_ZdaPvm",
                                 "_ZdlPvRKSt9nothrow_t",
                                 "_ZdaPvRKSt9nothrow_t",
                                 "_ZdlPvSt11align_val_t",
                                 "_ZdaPvSt11align_val_t",
                                 "_ZdlPvmSt11align_val_t",
                                 "_ZdaPvmSt11align_val_t",
                                 "_ZdlPvSt11align_val_tRKSt9nothrow_t",
                                 "_ZdaPvSt11align_val_tRKSt9nothrow_t"};
constexpr size_t kCount = std::size(kForms);

// One form: ours, and the one that is found first behind us.
struct Form {
  Symbol* symbol = nullptr;
  void* ours = nullptr;
  void* next = nullptr;
};

struct Survey {
  LoadedObject ours;
  Form forms[kCount] = {};
  size_t next_count = 0;  // forms that have a next
  bool is_replaced = false;
};

bool is_runtime(const LoadedObject& object) {
  constexpr const char* kNames[] = {"libstdc++.so.", "libc++.so.", "libc++abi.so."};
  return std::ranges::any_of(kNames, [&](const char* name) {
    return std::strncmp(object.names().own_name(), name, std::strlen(name)) == 0;
  });
}

bool allocates(const LoadedObject& object) {
  return object.names().find("malloc") != nullptr || object.names().find("free") != nullptr;
}

// Judges an object that comes before us. An allocator with all the forms, such as one that times
// calls, is not one that replaces some.
bool replaces(const LoadedObject& object) {
  const auto count = static_cast<size_t>(std::ranges::count_if(
      kForms, [&](const SymbolName& form) { return object.names().find(form) != nullptr; }));
  return allocates(object) ? count != kCount : count != 0;
}

// Looks at an object that comes behind us. Where ours replaces its malloc, ours replaces its
// operators too.
void look_behind(const LoadedObject& object, Survey* survey) {
  if (allocates(object)) return;
  for (size_t i = 0; i < kCount; ++i) {
    if (survey->forms[i].next != nullptr) continue;
    const Symbol* const symbol = object.names().find(kForms[i]);
    if (symbol == nullptr) continue;
    survey->forms[i].next = object.names().address_of(*symbol);
    ++survey->next_count;
    survey->is_replaced |= !is_runtime(object);
  }
}

void look_around(Survey* survey) {
  sys::visit_loaded_objects([survey](const LoadedObject& object) {
    if (object.has(kForms)) {
      survey->ours = object;
    } else if (survey->ours.is_loaded()) {
      look_behind(object, survey);
    } else {
      survey->is_replaced |= replaces(object);
    }
    return survey->next_count == kCount;
  });
  for (size_t i = 0; i < kCount; ++i) {
    const Symbol* const symbol = survey->ours.names().find(kForms[i]);
    if (symbol == nullptr) continue;
    survey->forms[i].symbol = const_cast<Symbol*>(symbol);
    survey->forms[i].ours = survey->ours.names().address_of(*symbol);
  }
}

// An object that looks for ours from now on finds the next one. Where there is none, ours is none
// either: a symbol of value 0 is passed over.
void withdraw_names(Survey* survey) {
  Symbol* begin = nullptr;
  Symbol* end = nullptr;
  for (const Form& form : survey->forms) {
    if (form.symbol == nullptr) continue;
    if (begin == nullptr || form.symbol < begin) begin = form.symbol;
    if (end == nullptr || form.symbol >= end) end = form.symbol + 1;
  }
  const sys::Unsealed table(survey->ours, begin, end);
  if (!table.is_open()) return;
  for (const Form& form : survey->forms) {
    if (form.symbol == nullptr) continue;
    const auto next = reinterpret_cast<uintptr_t>(form.next);
    form.symbol->st_value = next == 0 ? 0 : next - survey->ours.base();
  }
}

// Names too, as two forms may be one function.
const Form* form_at(const Survey& survey, const char* name, const void* target) {
  for (size_t i = 0; i < kCount; ++i) {
    const Form& form = survey.forms[i];
    if (form.ours == target && std::strcmp(kForms[i].text, name) == 0) return &form;
  }
  return nullptr;
}

void bind_anew(const LoadedObject& object, std::span<const LoadedObject::Relocation> all,
               const Survey& survey) {
  for (const LoadedObject::Relocation& one : all) {
    if (!LoadedObject::is_address(one)) continue;
    void* target;
    std::memcpy(&target, object.place_of(one), sizeof target);
    if (!survey.ours.has(target)) continue;
    const Form* const form = form_at(survey, object.name_of(one), target);
    if (form == nullptr || form->next == nullptr) continue;
    void** const place = object.place_of(one);
    const sys::Unsealed page(object, place, place + 1);
    if (page.is_open()) std::memcpy(place, &form->next, sizeof form->next);
  }
}

}  // namespace

void withdraw_cxx_names_where_replaced() {
  Survey survey;
  look_around(&survey);
  if (!survey.ours.is_loaded()) return;
  if (!survey.is_replaced && survey.next_count == kCount) return;
  withdraw_names(&survey);
  if (survey.next_count == 0) return;
  sys::visit_loaded_objects([&](const LoadedObject& object) {
    if (object.is(survey.ours)) return false;
    bind_anew(object, object.relocations(), survey);
    bind_anew(object, object.calls(), survey);
    return false;
  });
}

}  // namespace mmt::names

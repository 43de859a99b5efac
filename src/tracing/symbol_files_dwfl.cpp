// Each file is read in a session of its own: all of them begin at the same addresses.
#include <cxxabi.h>
#include <dlfcn.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <map>

#include "tracing/symbol_files.h"

namespace mmt::tracing {
namespace {

constexpr const char* kLibrary = "libdw.so.1";

// The functions of the library that are asked for.
struct Library {
  void* const handle = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  bool is_whole = handle != nullptr;

  template <class Function>
  Function find(const char* name) {
    void* const found = handle != nullptr ? ::dlsym(handle, name) : nullptr;
    is_whole = is_whole && found != nullptr;
    return reinterpret_cast<Function>(found);
  }

  decltype(&::dwfl_begin) begin = find<decltype(begin)>("dwfl_begin");
  decltype(&::dwfl_end) end = find<decltype(end)>("dwfl_end");
  decltype(&::dwfl_report_offline) report = find<decltype(report)>("dwfl_report_offline");
  decltype(&::dwfl_report_end) report_end = find<decltype(report_end)>("dwfl_report_end");
  decltype(&::dwfl_module_getelf) bias_of = find<decltype(bias_of)>("dwfl_module_getelf");
  decltype(&::dwfl_module_addrname) name = find<decltype(name)>("dwfl_module_addrname");
  decltype(&::dwfl_module_getsrc) source = find<decltype(source)>("dwfl_module_getsrc");
  decltype(&::dwfl_lineinfo) line = find<decltype(line)>("dwfl_lineinfo");

  Dwfl_Callbacks callbacks = {
      .find_elf = nullptr,
      .find_debuginfo =
          find<decltype(Dwfl_Callbacks::find_debuginfo)>("dwfl_standard_find_debuginfo"),
      .section_address =
          find<decltype(Dwfl_Callbacks::section_address)>("dwfl_offline_section_address"),
      .debuginfo_path = nullptr};
};

// Names of C that are types of C++ when read as such, as "f" is, stay.
std::string in_source(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = text != nullptr ? text : symbol;
  std::free(text);
  return name;
}

}  // namespace

class SymbolFiles::State {
 public:
  ~State() {
    for (const auto& [path, one] : files_) {
      if (one.session != nullptr) library_.end(one.session);
    }
  }

  bool is_there() const { return library_.is_whole; }

  SymbolPlace at(const std::string& path, std::uint64_t address) {
    const auto [found, is_new] = files_.try_emplace(path);
    File& file = found->second;
    if (is_new && is_there()) open(path, file);
    if (file.module == nullptr) return {};
    SymbolPlace place;
    if (const char* const name = library_.name(file.module, address + file.bias)) {
      place.function = in_source(name);
    }
    if (Dwfl_Line* const line = library_.source(file.module, address + file.bias)) {
      const char* const source =
          library_.line(line, nullptr, &place.line, nullptr, nullptr, nullptr);
      place.file = source != nullptr ? source : "";
    }
    return place;
  }

 private:
  struct File {
    Dwfl* session = nullptr;
    Dwfl_Module* module = nullptr;  // nullptr: it cannot be read
    GElf_Addr bias = 0;
  };

  void open(const std::string& path, File& file) {
    file.session = library_.begin(&library_.callbacks);
    if (file.session == nullptr) return;
    Dwfl_Module* const module = library_.report(file.session, "", path.c_str(), -1);
    library_.report_end(file.session, nullptr, nullptr);
    if (module != nullptr && library_.bias_of(module, &file.bias) != nullptr) file.module = module;
  }

  Library library_;
  std::map<std::string, File> files_;
};

SymbolFiles::SymbolFiles() : state_(std::make_unique<State>()) {}
SymbolFiles::~SymbolFiles() = default;

std::string SymbolFiles::why_none() const {
  return state_->is_there() ? "" : std::string("there is no ") + kLibrary + " of elfutils";
}

SymbolPlace SymbolFiles::at(const std::string& path, std::uint64_t address) {
  return state_->at(path, address);
}

}  // namespace mmt::tracing

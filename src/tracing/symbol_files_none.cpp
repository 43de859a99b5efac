// Where there was no elfutils to build with.
#include "tracing/symbol_files.h"

namespace mmt::tracing {

class SymbolFiles::State {};

SymbolFiles::SymbolFiles() = default;
SymbolFiles::~SymbolFiles() = default;
std::string SymbolFiles::why_none() const { return "this mmt was built without elfutils"; }
SymbolPlace SymbolFiles::at(const std::string&, std::uint64_t) { return {}; }

}  // namespace mmt::tracing

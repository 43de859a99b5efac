// Where there was no elfutils to build with.
#include "cli/trace/symbols.h"

namespace mmt::cli {

class Symbols::State {};

Symbols::Symbols() = default;
Symbols::~Symbols() = default;
std::string Symbols::why_none() const { return "this mmt was built without elfutils"; }
Symbols::Place Symbols::at(const std::string&, std::uint64_t) { return {}; }

}  // namespace mmt::cli

// CLI11's classes whose bodies stand apart from their declarations, once. All other sources include
// <CLI/App.hpp>, which only declares them: compiled anew in each they take half of its time.
#include <memory>

#include <CLI/CLI.hpp>

namespace mmt::cli {

// Both are made in each CLI::App; made here, their functions are compiled here.
std::shared_ptr<CLI::Config> cli11_config() { return std::make_shared<CLI::ConfigTOML>(); }
std::shared_ptr<CLI::FormatterBase> cli11_formatter() { return std::make_shared<CLI::Formatter>(); }

}  // namespace mmt::cli

// The CPU that the memory thread is to be bound to.
#pragma once

#include <string>

namespace mmt::cli {

// Checks a value of option `cpu`; empty or negative: any. Throws a Failure with `status` where
// there is none of that number.
void check_cpu(const std::string& value, int status);

}  // namespace mmt::cli

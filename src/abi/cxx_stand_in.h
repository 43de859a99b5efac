#pragma once
// operator new and delete are ours in the place of the C++ runtime's, which lead to malloc and
// free: ours take a shorter way to the same. Where the program, or a library, replaces some of
// their forms, or malloc, the runtime's other forms lead to these, and ours would not. Nor may ours
// hide those of a plugin from itself, where there is no runtime but its own. There ours withdraw:
// all is bound as if they did not exist.
namespace mmt::abi {

// Once, before any of them has been called.
void withdraw_cxx_names_where_replaced();

}  // namespace mmt::abi

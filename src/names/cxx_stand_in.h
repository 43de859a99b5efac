#pragma once
// Our operators new and delete stand in the place of the C++ runtime's, which lead to malloc and
// free. Ours take a shorter way to the same. The program, or a library, may replace some of the
// runtime's forms, or malloc. The runtime's other forms then lead to these, and ours would not. Nor
// may ours hide the operators of a plugin from the plugin, where there is no runtime but its own.
// In these cases ours withdraw: all is bound as if they did not exist.
namespace mmt::names {

// It is called once, before any of them has been called.
void withdraw_cxx_names_where_replaced();

}  // namespace mmt::names

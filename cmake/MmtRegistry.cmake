# The registry holds what the build makes and a user can choose by name. Each heap and each protocol is
# one row, in the CMakeLists.txt of its folder. The rows give the tables of the command line tool, the
# tests, what is installed and what a library may call.
include_guard(GLOBAL)

# mmt_describe(LIST NAME "what it is" [HIDDEN] [STUDY] [LIGHT] [SPEC spec])
# HIDDEN: works by its name, but no list shows it. STUDY: serves studies only, and runs none of the
# programs of the tests; hidden, too. LIGHT: shown, and of its tests one short program stands for all
# (tests/heaps). SPEC: what people call it, where that is no name for a file; NAME is that with '-'
# for each sign.
function(mmt_describe list name help)
  cmake_parse_arguments(PARSE_ARGV 3 arg "HIDDEN;STUDY;LIGHT" "SPEC" "TAKES")
  set(use shown)
  if(arg_STUDY)
    set(use study)
  elseif(arg_HIDDEN)
    set(use hidden)
  elseif(arg_LIGHT)
    set(use light)
  endif()
  if(NOT arg_SPEC)
    set(arg_SPEC ${name})
  endif()
  set_property(GLOBAL PROPERTY MMT_${list}_${name}_SPEC ${arg_SPEC})
  set_property(GLOBAL APPEND PROPERTY MMT_${list} ${name})
  set_property(GLOBAL PROPERTY MMT_${list}_${name}_USE ${use})
  set_property(GLOBAL PROPERTY MMT_${list}_${name}_HELP "${help}")
  list(JOIN arg_TAKES " " takes)
  set_property(GLOBAL PROPERTY MMT_${list}_${name}_TAKES "${takes}")
endfunction()

# mmt_names(RESULT LIST [use...]): the names of HEAPS or PROTOCOLS, of these uses or all.
function(mmt_names result list)
  get_property(names GLOBAL PROPERTY MMT_${list})
  set(chosen)
  foreach(name IN LISTS names)
    get_property(use GLOBAL PROPERTY MMT_${list}_${name}_USE)
    if(NOT ARGN OR use IN_LIST ARGN)
      list(APPEND chosen ${name})
    endif()
  endforeach()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# mmt_tables(RESULT LIST): their rows in C++, Built of src/cli/registry/built.h.
function(mmt_tables result list)
  get_property(names GLOBAL PROPERTY MMT_${list})
  set(rows)
  foreach(name IN LISTS names)
    get_property(use GLOBAL PROPERTY MMT_${list}_${name}_USE)
    get_property(help GLOBAL PROPERTY MMT_${list}_${name}_HELP)
    get_property(takes GLOBAL PROPERTY MMT_${list}_${name}_TAKES)
    get_property(spec GLOBAL PROPERTY MMT_${list}_${name}_SPEC)
    set(shown false)
    if(use MATCHES "^(shown|light)$")
      set(shown true)
    endif()
    string(APPEND rows "    {{\"${spec}\", R\"~(${help})~\"}, ${shown}, \" ${takes} \"},\n")
  endforeach()
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

# mmt_studies(RESULT FOLDER): rows in C++, Named of src/cli/registry/named.h, of the studies in
# FOLDER. Each declares its name and its title on a line of its own (lab/mmt_lab/studies).
function(mmt_studies result folder)
  file(GLOB declarations CONFIGURE_DEPENDS ${folder}/*/__init__.py)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${declarations})
  set(rows)
  foreach(declaration IN LISTS declarations)
    file(READ ${declaration} text)
    if(NOT text MATCHES "\n    name=\"([^\"\n]+)\",\n    title=\"([^\"\n]+)\",\n")
      message(FATAL_ERROR "${declaration} declares no study: name=\"...\", and title=\"...\" below")
    endif()
    string(APPEND rows "    {\"${CMAKE_MATCH_1}\", R\"~(${CMAKE_MATCH_2})~\"},\n")
  endforeach()
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

# Finds Gecode, which ships no CMake package of its own, and offers it as Gecode::gecode.

find_path(Gecode_INCLUDE_DIR gecode/kernel.hh)
set(Gecode_LIBRARIES)
foreach(part minimodel search int kernel support)
    find_library(Gecode_${part}_LIBRARY gecode${part})
    list(APPEND Gecode_LIBRARIES "${Gecode_${part}_LIBRARY}")
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Gecode REQUIRED_VARS Gecode_INCLUDE_DIR Gecode_minimodel_LIBRARY
    Gecode_search_LIBRARY     Gecode_int_LIBRARY Gecode_kernel_LIBRARY Gecode_support_LIBRARY)

if(Gecode_FOUND AND NOT TARGET Gecode::gecode)
    add_library(Gecode::gecode INTERFACE IMPORTED)
    set_target_properties(Gecode::gecode PROPERTIES
        INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${Gecode_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${Gecode_LIBRARIES}")
endif()

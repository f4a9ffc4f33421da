# make install: the program, the library for find_package(zermelo) and pkg-config, the MiniZinc solver, the games.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/zermelo")

install(TARGETS zermelo fzn-zermelo)
# Pages for man(1), written by the program itself.
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:zermelo>\" help --man
    -o \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\" COMMAND_ERROR_IS_FATAL ANY)")
if(TARGET zermelo_mpi)
    install(TARGETS zermelo_mpi LIBRARY DESTINATION lib/zermelo)  # where the program looks for it
endif()
list(TRANSFORM ZERMELO_LIBRARY_ROOMS PREPEND zermelo_ OUTPUT_VARIABLE library_targets)
install(TARGETS zermelo_library ${library_targets} EXPORT zermelo)
install(EXPORT zermelo NAMESPACE zermelo:: DESTINATION "${package_dir}" FILE zermeloTargets.cmake)

# Headers. In the sources they include each other by room, "core/error.hpp"; once installed they say
# <zermelo/core/error.hpp>, so that one include directory is enough and no other project's core/ is met.
install(CODE "
    set(source \"${CMAKE_CURRENT_SOURCE_DIR}\")
    set(rooms ${ZERMELO_LIBRARY_ROOMS})
    set(target \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/zermelo\")
    set(version \"${CMAKE_BINARY_DIR}/include/zermelo/version.hpp\")")
install(SCRIPT cmake/install_headers.cmake)

configure_package_config_file(cmake/zermeloConfig.cmake.in "${CMAKE_BINARY_DIR}/zermeloConfig.cmake"
    INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/zermeloConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/zermeloConfig.cmake" "${CMAKE_BINARY_DIR}/zermeloConfigVersion.cmake"
              cmake/FindGecode.cmake DESTINATION "${package_dir}")

# pkg-config lists static libraries in the order in which they need each other, the neediest first.
set(ZERMELO_PC_LIBRARIES ${ZERMELO_LIBRARY_ROOMS})
list(REVERSE ZERMELO_PC_LIBRARIES)
list(TRANSFORM ZERMELO_PC_LIBRARIES PREPEND "-lzermelo_")
list(JOIN ZERMELO_PC_LIBRARIES " " ZERMELO_PC_LIBRARIES)
if(asmjit_FOUND)
    set(ZERMELO_PC_ASMJIT " -lasmjit -lrt")
endif()
file(RELATIVE_PATH ZERMELO_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/zermelo.pc.in "${CMAKE_BINARY_DIR}/zermelo.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/zermelo.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# Paths in a solver configuration may be relative to it, so an installation can be moved.
set(ZERMELO_MZNLIB "../zermelo")
set(ZERMELO_FZN_EXECUTABLE "../../../${CMAKE_INSTALL_BINDIR}/fzn-zermelo")
configure_file(share/minizinc/solvers/zermelo.msc.in "${CMAKE_BINARY_DIR}/installed.msc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/installed.msc" DESTINATION "${CMAKE_INSTALL_DATADIR}/minizinc/solvers"
        RENAME zermelo.msc)
install(DIRECTORY share/minizinc/zermelo DESTINATION "${CMAKE_INSTALL_DATADIR}/minizinc")
install(DIRECTORY games DESTINATION "${CMAKE_INSTALL_DATADIR}/zermelo")
install(FILES bench/quantified.json bench/strategic.json bench/qbf.json DESTINATION "${CMAKE_INSTALL_DATADIR}/zermelo/bench")
install(DIRECTORY bench/qbf DESTINATION "${CMAKE_INSTALL_DATADIR}/zermelo/bench")

# make install: the program, the library for find_package(zermelo) and pkg-config, the MiniZinc solver, the games.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/zermelo")

install(TARGETS zermelo fzn-zermelo)
if(TARGET zermelo_mpi)
    install(TARGETS zermelo_mpi LIBRARY DESTINATION lib/zermelo)  # where the program looks for it
endif()
install(TARGETS zermelo_library zermelo_quantified zermelo_kernel zermelo_symmetry zermelo_gdl zermelo_strategy
                zermelo_model zermelo_core
        EXPORT zermelo)
install(EXPORT zermelo NAMESPACE zermelo:: DESTINATION "${package_dir}" FILE zermeloTargets.cmake)

# The rooms whose headers an embedding program may include; solving is reached through one of them.
foreach(room core model strategy)
    file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/${room}/*.hpp")
    install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/zermelo/${room}")
endforeach()
file(GLOB headers CONFIGURE_DEPENDS src/quantified/solve.hpp src/quantified/guide/guide.hpp src/quantified/guide/bus.hpp
     src/quantified/guide/monte_carlo.hpp)
install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/zermelo/quantified")
install(FILES include/zermelo/zermelo.hpp "${CMAKE_BINARY_DIR}/include/zermelo/version.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/zermelo")

configure_package_config_file(cmake/zermeloConfig.cmake.in "${CMAKE_BINARY_DIR}/zermeloConfig.cmake"
    INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/zermeloConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/zermeloConfig.cmake" "${CMAKE_BINARY_DIR}/zermeloConfigVersion.cmake"
              cmake/FindGecode.cmake DESTINATION "${package_dir}")

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
install(FILES bench/quantified.json bench/strategic.json DESTINATION "${CMAKE_INSTALL_DATADIR}/zermelo/bench")

# The page of `zermelo serve`: built from web/ by npm, then put into the program (src/web/http/assets.cpp).
#
# The modules that npm fetches lie in web/node_modules; all else goes into the build directory.

set(ZERMELO_PAGE AUTO CACHE STRING "Put the page of zermelo serve into the program: ON (needs npm and Node 18), OFF, AUTO")
set_property(CACHE ZERMELO_PAGE PROPERTY STRINGS AUTO ON OFF)
set(ZERMELO_HAS_PAGE OFF)
if(NOT ZERMELO_PAGE)
    return()
endif()

find_program(NPM_PROGRAM npm)
find_program(NODE_PROGRAM node)
set(node_version 0)
if(NODE_PROGRAM)
    execute_process(COMMAND "${NODE_PROGRAM}" --version OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE "v" "" node_version "${node_version}")
endif()
if(NOT NPM_PROGRAM OR node_version VERSION_LESS 18)
    set(lacking "The page of zermelo serve is built with npm and Node 18 or later, which are not here")
    if(ZERMELO_PAGE STREQUAL "AUTO")
        message(STATUS "${lacking}: the program will be without it (Debian: apt-get install npm)")
        return()
    endif()
    message(FATAL_ERROR "${lacking}. "
        "Install them (Debian: apt-get install npm), or do without the page: -DZERMELO_PAGE=OFF")
endif()
set(ZERMELO_HAS_PAGE ON)

set(web "${CMAKE_CURRENT_SOURCE_DIR}/web")
set(page "${CMAKE_BINARY_DIR}/page")
file(MAKE_DIRECTORY "${page}")
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS "${web}/src/*" "${web}/public/*")
list(APPEND page_sources "${web}/index.html" "${web}/package.json" "${web}/tsconfig.json" "${web}/vite.config.ts")

# What only the tests need is fetched with the tests. npm writes this file of its own when it has fetched all.
set(for_tests --omit=dev)
if(BUILD_TESTING)
    set(for_tests)
endif()
set(modules "${web}/node_modules/.package-lock.json")
add_custom_command(
    OUTPUT "${modules}"
    COMMAND "${NPM_PROGRAM}" ci ${for_tests} --no-audit --no-fund
    COMMAND "${CMAKE_COMMAND}" -E touch "${modules}"
    DEPENDS "${web}/package-lock.json"
    WORKING_DIRECTORY "${web}"
    COMMENT "Fetching the modules of the page"
    VERBATIM)
add_custom_command(
    OUTPUT "${page}/page.inc" "${page}/page.bin"
    COMMAND "${CMAKE_COMMAND}" -E env "ZERMELO_PAGE_OUT=${page}/files" "${NPM_PROGRAM}" run --silent build -- --logLevel warn
    COMMAND "${NODE_PROGRAM}" "${web}/embed.mjs" "${page}/files" "${page}"
    DEPENDS "${modules}" "${web}/embed.mjs" ${page_sources}
    WORKING_DIRECTORY "${web}"
    COMMENT "Building the page"
    VERBATIM)
add_custom_target(zermelo_page DEPENDS "${page}/page.inc" "${page}/page.bin")

# Only one file waits for the page. Where a generator knows no dependencies of one file, the whole room does.
set_source_files_properties(src/web/http/assets.cpp PROPERTIES
    COMPILE_DEFINITIONS "ZERMELO_PAGE=\"${page}\""
    INCLUDE_DIRECTORIES "${page}"
    OBJECT_DEPENDS "${page}/page.inc;${page}/page.bin")
if(NOT CMAKE_GENERATOR MATCHES "Ninja")
    add_dependencies(zermelo_web zermelo_page)
endif()

# Language, folders, warnings, sanitizers, speed of the build; and the two functions that the targets are made with.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# Debug is for tests on real models: asserts on, readable stacks, not hopelessly slow.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(opscope_warnings INTERFACE)
target_compile_options(opscope_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)

if(OPSCOPE_SANITIZE)
    add_compile_options(-fsanitize=${OPSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${OPSCOPE_SANITIZE})
endif()

# Sets <result> to the .cpp files below <folder> (a new file is picked up by the next build), less those whose path
# starts with one of EXCLUDE.
function(opscope_sources result folder)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EXCLUDE")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    foreach(excluded IN LISTS arg_EXCLUDE)
        list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${excluded}(/|$)")
    endforeach()
    set(${result} ${sources} PARENT_SCOPE)
endfunction()

# Adds <name>: targets that link it directly get the objects of SOURCES, and inherit the libraries of LINK. With no
# sources yet it only passes the libraries on.
function(opscope_objects name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
    if(arg_SOURCES)
        add_library(${name} OBJECT ${arg_SOURCES})
        target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
        target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE opscope_warnings)
    else()
        add_library(${name} INTERFACE)
        target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
        target_link_libraries(${name} INTERFACE ${arg_LINK})
    endif()
endfunction()

# SPDX-License-Identifier: Apache-2.0
# kinetoscope_embed(TARGET FILE SYMBOL): FILE's text as `extern const std::string_view SYMBOL`
# of namespace kinetoscope, compiled into TARGET.
function(kinetoscope_embed target file symbol)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    # String literals may be 64 KiB at most in other compilers; 8 KiB pieces are safe everywhere.
    string(LENGTH "${text}" length)
    set(pieces "")
    set(at 0)
    while(at LESS length)
        string(SUBSTRING "${text}" ${at} 8192 piece)
        string(APPEND pieces "R\"KSCOPE(${piece})KSCOPE\"\n")
        math(EXPR at "${at} + 8192")
    endwhile()
    file(CONFIGURE OUTPUT ${source} CONTENT
"// Generated from a file in resources.
#include <string_view>
namespace kinetoscope {
extern const std::string_view ${symbol};
const std::string_view ${symbol} =
${pieces};
}
" @ONLY)
    target_sources(${target} PRIVATE ${source})
    set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# The same for a file of any bytes, up to some 100 KiB.
function(kinetoscope_embed_bytes target file symbol)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)"
        "\\1\n" bytes "${bytes}")
    file(CONFIGURE OUTPUT ${source} CONTENT
"// Generated from a file in resources.
#include <string_view>
namespace kinetoscope {
static constexpr unsigned char kBytes[] = {
@bytes@};
extern const std::string_view ${symbol};
const std::string_view ${symbol}(reinterpret_cast<const char*>(kBytes), sizeof(kBytes));
}
" @ONLY)
    target_sources(${target} PRIVATE ${source})
    set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

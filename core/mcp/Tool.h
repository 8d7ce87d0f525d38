// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/mcp/Answer.h"
#include "core/mcp/Workspace.h"

namespace kinetoscope::mcp {

/// Arguments of a call that fit the tool's parameters.
struct Call {
    const Json& arguments;
    Page page;
    std::stop_token stop;

    /// The argument, or the parameter's default; empty where there is neither.
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
};

enum class ParameterType : unsigned char { Text, Number, Flag, Texts };

struct Parameter {
    std::string_view name;
    ParameterType type = ParameterType::Text;
    std::string_view about;
    bool required = false;
    std::vector<std::string_view> choices = {};  ///< of a text; empty: any
};

/// One row of the table of tools.
struct Tool {
    std::string_view name;
    std::string_view title;
    std::string_view about;
    std::vector<Parameter> parameters;
    bool isList = true;  ///< takes "cursor" and "max_tokens"
    Result<Json> (*run)(Workspace& workspace, const Call& call);
};

/// By what they are about.
[[nodiscard]] std::vector<Tool> fileTools();
[[nodiscard]] std::vector<Tool> figureTools();
[[nodiscard]] std::vector<Tool> eventTools();
[[nodiscard]] std::vector<Tool> pathTools();
[[nodiscard]] std::vector<Tool> adviceTools();
[[nodiscard]] std::vector<Tool> sqlTools();
[[nodiscard]] std::vector<Tool> comparisonTools();
[[nodiscard]] const std::vector<Tool>& allTools();

/// Of an argument "trace".
inline constexpr std::string_view kTraceAbout = "Id of an open trace, e.g. t1";
/// Of an argument "window".
inline constexpr std::string_view kWindowAbout =
    "Time window of the figures: gpu (each GPU's first operation to its last, the default), trace, "
    "step:N, or START..END relative to the first event, in ns, us, ms or s";

/// The tool's parameters as a JSON schema.
[[nodiscard]] Json schemaOf(const Tool& tool);
/// Fails, in a line that lists the tool's parameters, for arguments that do not fit them.
[[nodiscard]] Result<void> checkArguments(const Tool& tool, const Json& arguments);
/// The answer to arguments that need not fit.
[[nodiscard]] Result<Json> runTool(const Tool& tool, Workspace& workspace, const Json& arguments,
                                   const std::stop_token& stop);

}  // namespace kinetoscope::mcp

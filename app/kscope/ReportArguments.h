// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/kscope/Command.h"
#include "core/analysis/Compat.h"
#include "core/calltree/MakeCallTree.h"
#include "core/model/Roofline.h"
#include "core/report/Report.h"

namespace kinetoscope::app {

/// The options of `kscope report`, checked.
struct ReportArguments {
    unsigned threads = 0;  ///< for loading; 0: all
    std::vector<std::string> files;
    OutputFormat format = OutputFormat::Text;
    std::string output;              ///< empty: standard output
    std::optional<std::size_t> top;  ///< 0: all; without: 20 where people read, else all
    bool fullNames = false;
    bool figures = false;  ///< CSV of the figures of each GPU in place of the kernels
    bool timing = false;
    bool compat = false;
    bool tabulate = false;
    bool operators = false;
    std::optional<model::RooflineBy> roofline;  ///< with rows of that
    bool achieved = false;                      ///< columns of it in the tables
    bool measuredRoof = false;                  ///< where one is kept, in place of the maker's
    std::optional<calltree::Weight> folded;     ///< folded stacks instead of figures
    calltree::Frames frames = calltree::Frames::All;
    std::string execution;               ///< PyTorch's execution trace of the run; may be empty
    std::string ncu;                     ///< what Nsight Compute measured, as CSV; may be empty
    bool counted = false;                ///< --runs was given
    bool named = false;                  ///< --name was given
    std::optional<std::string> explain;  ///< a figure's name; empty: all figures
    report::ReportOptions report;
    analysis::CompatOptions compatOptions;
};

/// Definitions of the figures: of one (its JSON name with or without "_ns", or its title), or of
/// all when `figure` is empty. Fails on an unknown one.
[[nodiscard]] Result<std::string> explain(const std::string& figure, std::size_t width);

/// Whether explain() knows it.
[[nodiscard]] bool isFigure(const std::string& figure);

/// The options of PyTorch's figures of one trace; by default those entered in the window, with a
/// line on standard error that says so.
[[nodiscard]] analysis::CompatOptions withEnteredRun(const std::string& path,
                                                     const ReportArguments& arguments);

/// Each gives an exit code of Command.h.
[[nodiscard]] int runReport(const ReportArguments& arguments);
[[nodiscard]] int runTabulate(const ReportArguments& arguments);
[[nodiscard]] int runFolded(const ReportArguments& arguments);

}  // namespace kinetoscope::app

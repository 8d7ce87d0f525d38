// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/report/ReportDocument.h"
#include "core/text/OutputFormat.h"
#include "core/text/TextTable.h"

namespace kinetoscope::report {

/// Which parts of each document are written, and in which format.
struct OutputChoice {
    text::OutputFormat format = text::OutputFormat::Text;
    bool figures = false;    ///< CSV of the figures of each GPU in place of the kernels
    bool compat = false;     ///< PyTorch's figures alone
    bool operators = false;  ///< the operator table alone; in JSON beside everything else
    bool roofline = false;   ///< the roofline alone; in JSON beside everything else
    bool fullNames = false;
    bool achieved = false;  ///< columns of it in the tables of kernels and operators
    bool several = false;   ///< there are several files, so each is named
};

/// The documents of all files one after the other, with what their format wants around them.
class ReportOutput {
public:
    ReportOutput(const OutputChoice& choice, const text::TextStyle& style)
        : m_choice(choice), m_style(style) {}

    /// The text of the next document.
    [[nodiscard]] std::string add(const ReportDocument& document);
    /// What follows the last one.
    [[nodiscard]] std::string end() const;

private:
    [[nodiscard]] std::string between() const;
    [[nodiscard]] std::string textOf(const ReportDocument& document) const;

    OutputChoice m_choice;
    text::TextStyle m_style;
    std::size_t m_count = 0;
};

}  // namespace kinetoscope::report

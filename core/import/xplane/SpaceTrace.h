// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/import/Importer.h"
#include "core/import/wire/WholeText.h"
#include "core/import/xplane/Space.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::xplane {

/// Puts an XSpace into a trace. Throws Stopped.
class SpaceTrace {
public:
    SpaceTrace(ImportInput& input, trace::TraceBuilder& builder)
        : m_input(input), m_builder(builder) {}

    /// To be called once. Fails where nothing can be read.
    [[nodiscard]] Result<void> read();

private:
    void shareProcess();
    void placeInTime();
    void addRows();
    void addEvents();
    void describe();
    void describeGpu(const Plane& plane);
    [[nodiscard]] trace::RowId processOf(const Plane& plane);

    ImportInput& m_input;
    trace::TraceBuilder& m_builder;
    trace::IssueCounter m_issues;
    wire::WholeText m_whole;
    std::string_view m_text;
    Space m_space;
    TimeNs m_base = 0;
};

}  // namespace kinetoscope::import::xplane

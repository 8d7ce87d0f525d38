// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/advise/Finding.h"
#include "core/analysis/IdleList.h"
#include "core/analysis/Operators.h"
#include "core/base/Result.h"
#include "core/compare/ComparedRun.h"
#include "core/mcp/Kept.h"
#include "core/model/Roofline.h"
#include "core/path/Graph.h"
#include "core/path/Paths.h"
#include "core/query/LaneLayout.h"
#include "core/query/LaunchLinks.h"
#include "core/query/RowNames.h"
#include "core/query/sql/QueryDatabase.h"
#include "core/ranks/Job.h"
#include "core/report/Report.h"
#include "core/trace/Trace.h"

namespace kinetoscope::mcp {

/// A trace that was opened, with what has been found out about it so far. Of one thread.
class OpenTrace {
public:
    OpenTrace(std::string id, std::shared_ptr<const trace::Trace> trace);

    [[nodiscard]] const std::string& id() const { return m_id; }
    [[nodiscard]] const trace::Trace& trace() const { return *m_trace; }
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& shared() const { return m_trace; }
    [[nodiscard]] const query::LaunchLinks& links();
    [[nodiscard]] query::LaneIndex& lanes();
    [[nodiscard]] const query::RowNames& rows();
    [[nodiscard]] Result<const report::Report*> report(const analysis::WindowChoice& window,
                                                       const std::stop_token& stop);
    [[nodiscard]] Result<const analysis::OperatorTable*> operators(
        const analysis::WindowChoice& window, bool byShape, const std::stop_token& stop);
    /// Longest first.
    [[nodiscard]] Result<const analysis::IdleList*> idle(const analysis::WindowChoice& window,
                                                         const std::stop_token& stop);
    [[nodiscard]] Result<const model::Roofline*> roofline(const analysis::WindowChoice& window,
                                                          model::RooflineBy by,
                                                          const std::stop_token& stop);
    [[nodiscard]] Result<const compare::ComparedRun*> compared(const std::stop_token& stop);
    [[nodiscard]] Result<const path::Graph*> graph(const std::stop_token& stop);
    /// SQL over it alone.
    [[nodiscard]] Result<query::sql::QueryDatabase*> database(const std::stop_token& stop);
    /// Of one row of the graph's steps.
    [[nodiscard]] Result<const path::StepPath*> path(std::size_t step, const std::stop_token& stop);
    /// The same step after changes.
    [[nodiscard]] Result<const std::vector<path::ChangedStep>*> whatIf(
        std::size_t step, const std::vector<path::Change>& changes, const std::stop_token& stop);
    [[nodiscard]] Result<const advise::Advice*> advice(const std::stop_token& stop);

    /// Computes in advance what most questions need. Failures are retried on request.
    void prepare(const std::stop_token& stop);

private:
    [[nodiscard]] Result<const model::LaunchedCalls*> calls(const std::stop_token& stop);
    [[nodiscard]] Result<const path::Paths*> paths(std::size_t step, const std::stop_token& stop);

    std::string m_id;
    std::shared_ptr<const trace::Trace> m_trace;
    std::unique_ptr<const query::LaunchLinks> m_links;
    std::unique_ptr<query::LaneIndex> m_lanes;
    std::unique_ptr<const query::RowNames> m_rows;
    std::unique_ptr<const path::Graph> m_graph;
    Kept m_kept;
    std::unique_ptr<query::sql::QueryDatabase> m_database;
};

/// What tells whether a file was written to.
struct FileState {
    std::filesystem::path path;
    std::filesystem::file_time_type changed;
    std::uintmax_t bytes = 0;

    friend bool operator==(const FileState&, const FileState&) = default;
};

/// A job that was opened.
struct OpenJob {
    std::string id;
    std::string path;
    std::vector<FileState> files;
    ranks::Job job;
};

/// The files of a session: only what lies in the folders that were given at start is opened, also
/// behind links. The traces and jobs used least recently are closed where there are many. Of one
/// thread.
class Workspace {
public:
    explicit Workspace(const std::vector<std::filesystem::path>& folders);

    [[nodiscard]] const std::vector<std::filesystem::path>& folders() const { return m_folders; }
    /// The path without links. Fails, in a line that names the folders, outside of them and for
    /// what is not there.
    [[nodiscard]] Result<std::filesystem::path> inside(const std::string& path) const;

    /// The same trace as before where the file has not changed since.
    [[nodiscard]] Result<OpenTrace*> open(const std::string& path, const std::stop_token& stop);
    /// The same job as before where its files have not changed since.
    [[nodiscard]] Result<const OpenJob*> openJob(const std::string& folder,
                                                 const std::stop_token& stop);
    /// By their id: "t1", "j1". Fails in a line that names those that are open.
    [[nodiscard]] Result<OpenTrace*> trace(std::string_view id);
    [[nodiscard]] Result<const OpenJob*> job(std::string_view id);
    /// False when nothing of that id is open.
    bool close(std::string_view id);

private:
    struct File {
        FileState state;
        std::unique_ptr<OpenTrace> trace;
    };

    [[nodiscard]] Result<std::vector<FileState>> filesOf(const std::filesystem::path& folder) const;
    [[nodiscard]] std::string namesOfOpen() const;

    std::vector<std::filesystem::path> m_folders;
    std::list<File> m_files;    ///< the last one used in front
    std::list<OpenJob> m_jobs;  ///< likewise
    std::size_t m_opened = 0;   ///< so far, for the ids
};

}  // namespace kinetoscope::mcp

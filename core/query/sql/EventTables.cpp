// SPDX-License-Identifier: Apache-2.0
// Tables of what is not a slice: samples of counters, ends of arrows, problems of the file.
#include "core/query/sql/Material.h"
#include "core/query/sql/RowList.h"

namespace kinetoscope::query::sql {

namespace {

enum CounterColumn : int { Time, Counter, Series, Value, CounterTrack };

class Counters final : public Rows {
public:
    Counters(Material& material, std::size_t file)
        : m_material(material), m_trace(material.facts(file).trace()), m_file(file) {}

    [[nodiscard]] std::size_t count() const override { return m_trace.counters().size(); }
    [[nodiscard]] Cell cell(std::size_t row, int column) const override {
        const trace::CounterSample& sample = m_trace.counters()[row];
        switch (column) {
            case Time:
                return Cell::of(m_material.shown(m_file, sample.time));
            case Value:
                return Cell::of(sample.value);
            case CounterTrack:
                return Cell::of(std::int64_t{sample.track});
            default:
                return Cell::of(m_trace.text(code(row, column)));
        }
    }
    [[nodiscard]] std::uint32_t code(std::size_t row, int column) const override {
        const trace::CounterSample& sample = m_trace.counters()[row];
        return column == Series ? sample.series : counterName(m_trace.tracks()[sample.track]);
    }
    [[nodiscard]] CodeTexts codeTexts(int /*column*/) const override {
        return CodeTexts(m_trace.names());
    }

private:
    static NameId counterName(const trace::Track& track) {
        return track.tid.isText ? static_cast<NameId>(track.tid.value) : track.name;
    }

    Material& m_material;
    const trace::Trace& m_trace;
    std::size_t m_file;
};

enum FlowColumn : int { Flow, FlowName, FlowCategory, Phase, FlowTime, FlowTrack };

class Flows final : public Rows {
public:
    Flows(Material& material, std::size_t file)
        : m_material(material), m_trace(material.facts(file).trace()), m_file(file) {}

    [[nodiscard]] std::size_t count() const override { return m_trace.flows().size(); }
    [[nodiscard]] Cell cell(std::size_t row, int column) const override {
        const trace::FlowPoint& point = m_trace.flows()[row];
        switch (column) {
            case Flow:
                return Cell::of(point.id);
            case FlowName:
                return Cell::of(m_trace.text(point.name));
            case FlowCategory:
                return Cell::of(m_trace.categoryText(point.category));
            case Phase:
                return Cell::of(phaseName(point.phase));
            case FlowTime:
                return Cell::of(m_material.shown(m_file, point.time));
            default:
                return Cell::of(std::int64_t{point.track});
        }
    }
    [[nodiscard]] std::uint32_t code(std::size_t row, int /*column*/) const override {
        return m_trace.flows()[row].name;
    }
    [[nodiscard]] CodeTexts codeTexts(int /*column*/) const override {
        return CodeTexts(m_trace.names());
    }

private:
    static std::string_view phaseName(char phase) {
        return phase == 's' ? "start" : phase == 'f' ? "finish" : "step";
    }

    Material& m_material;
    const trace::Trace& m_trace;
    std::size_t m_file;
};

std::unique_ptr<Rows> importLog(Material& material, std::size_t file) {
    auto rows = std::make_unique<RowList>(findTable("import_log")->columns.size());
    for (const trace::ImportIssue& issue : material.facts(file).trace().log().sorted()) {
        rows->add({rows->keep(issue.name), Cell::of(trace::severityName(issue.severity)),
                   Cell::of(static_cast<std::int64_t>(issue.count)),
                   Cell::of(static_cast<std::int64_t>(issue.firstOffset)),
                   rows->keep(issue.example)});
    }
    return rows;
}

template <class Made>
std::unique_ptr<Rows> make(Material& material, std::size_t file) {
    return std::make_unique<Made>(material, file);
}

}  // namespace

std::vector<TableInfo> eventTables() {
    using enum ColumnType;
    TableInfo counters{
        .name = "counters",
        .about = "Samples of counters: sensors, memory, hardware counters",
        .columns = {{"time", Integer, "ns", "since the first event", true},
                    {"name", Code, "", "of the counter", true},
                    {"series", Code, "",
                     "name of the series, if the counter has several; may be empty", true},
                    {"value", Real, "", "in the counter's own unit"},
                    {"track", Integer, "", "its row: threads.track", true}},
        .usualRows = 1e4,
        .make = make<Counters>};
    TableInfo flows{
        .name = "flows",
        .about = "Flow arrows, mostly from forward to backward operators; launches are in launches",
        .columns = {{"flow", Integer, "", "id shared by both ends of an arrow", true, true},
                    {"name", Code, "", "of the arrow", true},
                    {"category", Text, "", "fwdbwd, …"},
                    {"phase", Text, "", "start, step or finish"},
                    {"time", Integer, "ns", "since the first event", true},
                    {"track", Integer, "", "where it ends: threads.track", true}},
        .usualRows = 1e4,
        .make = make<Flows>};
    TableInfo log{
        .name = "import_log",
        .about = "Import problems of the file",
        .columns = {{"name", Text, "", "of the problem"},
                    {"severity", Text, "", "info, warning or data_loss"},
                    {"count", Integer, "", "how often"},
                    {"first_offset", Integer, "bytes", "offset of the first one in the text"},
                    {"example", Text, "", "the first one"}},
        .usualRows = 5,
        .make = importLog};
    return {std::move(counters), std::move(flows), std::move(log)};
}

}  // namespace kinetoscope::query::sql

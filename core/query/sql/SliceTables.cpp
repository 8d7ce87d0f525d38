// SPDX-License-Identifier: Apache-2.0
// Tables of the slices as they stand in the trace's columns.
#include "core/query/sql/Material.h"
#include "core/query/sql/Table.h"

namespace kinetoscope::query::sql {

namespace {

enum SliceColumn : int {
    Id,
    Name,
    Category,
    Start,
    Dur,
    End,
    Track,
    Parent,
    Depth,
    Self,
    Correlation,
    ExternalId
};

class Slices final : public Rows {
public:
    Slices(Material& material, std::size_t file)
        : m_material(material), m_trace(material.facts(file).trace()), m_file(file) {}

    [[nodiscard]] std::size_t count() const override { return m_trace.sliceCount(); }

    [[nodiscard]] Cell cell(std::size_t row, int column) const override {
        const auto slice = static_cast<trace::SliceId>(row);
        switch (column) {
            case Id:
                return Cell::of(wholeId(m_file, slice));
            case Name:
                return Cell::of(m_trace.name(slice));
            case Category:
                return Cell::of(m_trace.categoryText(m_trace.categoryId(slice)));
            case Start:
                return Cell::of(m_material.shown(m_file, m_trace.start(slice)));
            case Dur:
                return Cell::of(m_trace.duration(slice));
            case End:
                return Cell::of(m_material.shown(m_file, m_trace.end(slice)));
            case Track:
                return Cell::of(std::int64_t{m_trace.trackOf(slice)});
            case Correlation:
                return Cell::unless(trace::kNoId, m_trace.correlation(slice));
            case ExternalId:
                return Cell::unless(trace::kNoId, m_trace.externalId(slice));
            default:
                return nested(slice, column);
        }
    }
    [[nodiscard]] std::uint32_t code(std::size_t row, int column) const override {
        const auto slice = static_cast<trace::SliceId>(row);
        return column == Name ? m_trace.nameId(slice) : m_trace.categoryId(slice);
    }
    [[nodiscard]] CodeTexts codeTexts(int column) const override {
        return column == Name ? CodeTexts(m_trace.names()) : categoryTexts(m_trace);
    }

private:
    [[nodiscard]] Cell nested(trace::SliceId slice, int column) const {
        const Nesting& nesting = m_material.facts(m_file).nesting(m_material.stop);
        switch (column) {
            case Parent: {
                const trace::SliceId parent = nesting.parent(slice);
                return parent == trace::kNoSlice ? Cell() : Cell::of(wholeId(m_file, parent));
            }
            case Depth:
                return Cell::of(std::int64_t{nesting.depth(slice)});
            default:
                return Cell::of(nesting.self(slice));
        }
    }

    Material& m_material;
    const trace::Trace& m_trace;
    std::size_t m_file;
};

}  // namespace

CodeTexts categoryTexts(const trace::Trace& trace) {
    std::vector<std::string_view> texts;
    const auto used = trace.categoryIds();
    std::size_t count = trace::kKnownCategories;
    for (const trace::CategoryId id : used) {
        count = std::max<std::size_t>(count, id + std::size_t{1});
    }
    for (std::size_t id = 0; id < count; ++id) {
        texts.push_back(trace.categoryText(static_cast<trace::CategoryId>(id)));
    }
    return CodeTexts(std::move(texts));
}

std::vector<TableInfo> sliceTables() {
    using enum ColumnType;
    TableInfo slices{
        .name = "slices",
        .about =
            "Every event with a start and a duration: operators, API calls, functions, "
            "annotations, GPU operations",
        .columns = {{"id", Integer, "", "id of the slice, for arg() and joins", true, true},
                    {"name", Code, "", "as the file has it", true},
                    {"category", Code, "", "cpu_op, kernel, cuda_runtime, python_function, …",
                     true},
                    {"start", Integer, "ns", "since the first event", true},
                    {"dur", Integer, "ns", "duration"},
                    {"end", Integer, "ns", "start + dur"},
                    {"track", Integer, "", "its row: threads.track", true},
                    {"parent", Integer, "", "id of the parent slice on its thread", true, true},
                    {"depth", Integer, "", "nesting depth on its thread"},
                    {"self", Integer, "ns", "self time: duration without children"},
                    {"correlation", Integer, "", "shared by an API call and its GPU operations",
                     true, true},
                    {"external_id", Integer, "", "External id: the operator of GPU work", true,
                     true}},
        .usualRows = 1e6,
        .make = [](Material& material, std::size_t file) -> std::unique_ptr<Rows> {
            return std::make_unique<Slices>(material, file);
        }};
    return {std::move(slices)};
}

}  // namespace kinetoscope::query::sql

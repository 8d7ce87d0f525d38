// SPDX-License-Identifier: GPL-3.0-or-later
// Every model of widgets/models keeps the contract of QAbstractItemModel while it is filled,
// sorted, filtered, changed and emptied, with Qt's own tester attached.
#include <QAbstractItemModelTester>
#include <QDirIterator>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/bench/results/ResultDocument.h"
#include "core/trace/TraceBuilder.h"
#include "tests/support/SampleResults.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/AreaModel.h"
#include "widgets/models/CategoryModel.h"
#include "widgets/models/CompareModel.h"
#include "widgets/models/CsvModel.h"
#include "widgets/models/IdleModels.h"
#include "widgets/models/ImportLogModel.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/models/OperatorTableModel.h"
#include "widgets/models/RunsModel.h"
#include "widgets/models/StepChangeModel.h"
#include "widgets/models/StepModel.h"
#include "widgets/models/details/DetailsModel.h"
#include "widgets/models/fields/FieldModel.h"
#include "widgets/models/results/ResultTables.h"
#include "widgets/models/roofline/RooflineModel.h"

using namespace kinetoscope;
using namespace kinetoscope::models;

namespace {

/// A model, what puts rows into it, changes some of their cells and takes them away again. The
/// functions hold what the model only points to.
struct Case {
    std::shared_ptr<ColumnTableModel> model;
    std::function<void()> fill;
    std::function<void()> change = [] {};
    std::function<void()> clear;
    int rows = 0;  ///< after fill()
};
using MakeCase = std::function<Case()>;

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

std::shared_ptr<const trace::Trace> testTrace() {
    return makeTrace({{"triton_poi_fused_add_0", 0, 100},
                      {"nvjet_hsh_256x128", 600, 1000},
                      {"triton_poi_fused_add_0", 200, 300},
                      {"void reduce_kernel<512, 1, Sum>(Sum)", 2000, 50},
                      {"void reduce_kernel<512, 1, Max>(Max)", 2100, 60}});
}

std::shared_ptr<const report::Report> testReport(const trace::Trace& trace) {
    return std::make_shared<const report::Report>(*report::makeReport(trace, {}));
}

using Document = std::shared_ptr<const bench::results::ResultDocument>;

Document resultOf(const std::string& json) {
    return std::make_shared<const bench::results::ResultDocument>(
        *bench::results::parseResult(json));
}

/// A table of a kind of result; of its rows one runs, another waits.
Case resultCase(const Document& document,
                const std::function<ResultTable(const bench::results::ResultDocument&)>& makeTable,
                int rows) {
    const auto empty = std::make_shared<const bench::results::ResultDocument>(document->kind);
    const auto model = std::make_shared<ResultModel>(makeTable(*empty));
    const auto change = [model] {
        model->setWaiting({0, 1});
        model->setRunning(1);
        model->refresh();
        model->endRun();
    };
    return {model, [=] { model->setTable(makeTable(*document)); }, change,
            [=] { model->setTable(makeTable(*empty)); }, rows};
}

Case kernelResultCase() {
    const auto makeTable = [](const auto& document) { return kernelTable(document, {3, 1}); };
    return resultCase(resultOf(test::sampleKernels()), makeTable, 2);
}

Case moduleResultCase() {
    return resultCase(resultOf(test::sampleModules()), moduleTable, 2);
}

Case operatorResultCase() {
    auto document = *resultOf(test::sampleOperators());
    document.items.push_back(document.items.front());
    document.items.back().name = "aten.add.Tensor";
    return resultCase(std::make_shared<const bench::results::ResultDocument>(std::move(document)),
                      operatorTable, 2);
}

Case callResultCase() {
    const auto makeTable = [](const auto& document) {
        return callTable(document, document.items.empty() ? nullptr : &document.items.front());
    };
    return resultCase(resultOf(test::sampleOperators()), makeTable, 3);
}

Case categoryCase() {
    const auto model = std::make_shared<CategoryModel>();
    const auto trace = testTrace();
    return {model, [=] { model->setReport(testReport(*trace)); }, [] {},
            [=] { model->setReport(nullptr); }, 2};
}

Case kernelCase() {
    const auto model = std::make_shared<KernelTableModel>();
    const auto trace = testTrace();
    const auto change = [model] {
        model->setCategory(QStringLiteral("triton_pointwise"));
        model->setCategory({});
    };
    return {model, [=] { model->setReport(trace, testReport(*trace)); }, change,
            [=] { model->setReport(nullptr, nullptr); }, 4};
}

Case stepCase() {
    const auto model = std::make_shared<StepModel>();
    const auto fill = [model] {
        auto report = std::make_shared<report::Report>();
        for (const int number : {9, 11, 10}) {
            analysis::Step step;
            step.name = "ProfilerStep#" + std::to_string(number);
            step.number = number;
            step.span = {number * 1'000'000, number * 1'000'000 + 500'000};
            step.busyNs = 125'000 * (number - 8);
            report->steps.push_back(step);
        }
        model->setReport(nullptr, report);
    };
    return {model, fill, [] {}, [=] { model->setReport(nullptr, nullptr); }, 3};
}

Case logCase() {
    const auto model = std::make_shared<ImportLogModel>();
    const auto fill = [model] {
        trace::TraceBuilder builder;
        builder.log().add("negative_duration", trace::Severity::Warning, 120, "{\"dur\": -1}", 3);
        builder.log().add("truncated_array", trace::Severity::DataLoss, 900, "…", 1);
        model->setTrace(builder.finish());
    };
    return {model, fill, [] {}, [=] { model->setTrace(nullptr); }, 2};
}

Case detailsCase() {
    const auto model = std::make_shared<DetailsModel>();
    return {model,
            [=] {
                model->setLines({{"b", "2"}, {"a", "10"}, {"a", "1"}});
            },
            [] {}, [=] { model->setLines({}); }, 3};
}

Case fieldCase() {
    const auto fields = [] {
        return std::vector<Field>{
            textField("name", "Name", {},
                      [](std::uint32_t row) { return QString("a%1").arg(row); }),
            countField("count", "Count", {}, [](std::uint32_t row) { return 100.0 - row; })};
    };
    const auto model = std::make_shared<FieldModel>(fields(), 0);
    return {model, [=] { model->setFields(fields(), 12); }, [] {},
            [=] { model->setFields({fields().front()}, 0); }, 12};
}

Case csvCase() {
    const auto model = std::make_shared<CsvModel>();
    return {model, [=] { model->setTable(*metrics::parseCsv("name,ms\nb,2\na,\nc,10\n")); }, [] {},
            [=] {
                model->setTable({{"other"}, {}});
            },
            3};
}

std::shared_ptr<const compare::Comparison> testComparison() {
    auto comparison = std::make_shared<compare::Comparison>();
    for (int i = 0; i < 3; ++i) {
        compare::KernelChange kernel;
        kernel.name = "kernel_" + std::to_string(i);
        kernel.totalNs.value = {100.0, 100.0 + 10.0 * (i - 1)};
        comparison->kernels.push_back(kernel);
        compare::StepChange step;
        step.number = {i, i};
        step.name = {"step#" + std::to_string(i), "step#" + std::to_string(i)};
        step.durationNs.value = {100.0, 90.0 + 10.0 * i};
        comparison->steps.push_back(step);
    }
    comparison->onlyBase.push_back({"gone", 1.0, 5.0, 0.1, "", ""});
    comparison->onlyCandidate.push_back({"new", 1.0, 7.0, 0.1, "", ""});
    return comparison;
}

template <class Model>
Case comparedCase(int rows) {
    const auto model = std::make_shared<Model>();
    const auto comparison = testComparison();
    return {model, [=] { model->setComparison(comparison.get()); }, [] {},
            [=] { model->setComparison(nullptr); }, rows};
}

Case tableCase() {
    const auto model = std::make_shared<OperatorTableModel>();
    const auto trace = testTrace();
    const auto fill = [=] {
        model->setTable(std::make_shared<const analysis::OperatorTable>(
            *analysis::makeOperatorTable(*trace, {.byShape = false})));
    };
    const auto change = [model] {
        model->setSides(OperatorTableModel::Sides::Gpu);
        model->setSides(OperatorTableModel::Sides::Both);
    };
    return {model, fill, change, [=] { model->setTable(nullptr); }, 5};
}

// Two gaps: the host was late for one, the other is a graph's.
std::shared_ptr<const analysis::IdleList> idleList() {
    auto list = std::make_shared<analysis::IdleList>();
    analysis::NamedGap gap;
    gap.span = {1'000, 9'000};
    gap.parts.hostNs = 8'000;
    gap.host.slice = 0;
    gap.next = 1;
    list->gaps.push_back(gap);
    gap.span = {20'000, 22'000};
    gap.parts = {};
    gap.parts.graphNs = 2'000;
    gap.host = {};
    list->gaps.push_back(gap);
    list->count = 2;
    list->sum.add({.hostNs = 8'000, .graphNs = 2'000});
    return list;
}

Case idleGapCase() {
    const auto model = std::make_shared<IdleGapModel>();
    const auto trace = testTrace();
    const auto change = [model] {
        model->setGroup(IdleGroup::Reason, 0);
        model->setGroup(IdleGroup::HostActivity, std::nullopt);
    };
    return {model, [=] { model->setList(trace, idleList()); }, change,
            [=] { model->setList(nullptr, nullptr); }, 2};
}

Case areaCase() {
    const auto model = std::make_shared<AreaModel>();
    const auto trace = testTrace();
    const auto set = [=](AreaGroup group) {
        model->setSummary(trace,
                          std::make_shared<const query::AreaSummary>(
                              *query::summariseArea(*trace, {trace->extent(), {}, {}, 1})),
                          group, {"the thread", "the stream"});
    };
    const auto change = [=] {
        set(AreaGroup::Row);
        set(AreaGroup::Category);
        set(AreaGroup::Name);
    };
    return {model, [=] { set(AreaGroup::Name); }, change,
            [=] { model->setSummary(nullptr, nullptr, AreaGroup::Name, {}); }, 5};
}

Case idleGroupCase() {
    const auto model = std::make_shared<IdleGroupModel>();
    const auto trace = testTrace();
    return {model, [=] { model->setList(trace, idleList(), IdleGroup::Reason); }, [] {},
            [=] { model->setList(nullptr, nullptr, IdleGroup::Reason); }, 2};
}

Case rooflineCase() {
    const auto model = std::make_shared<RooflineModel>();
    const auto fill = [model] {
        auto roofline = std::make_shared<kinetoscope::model::Roofline>();
        for (const char* name : {"aten::mm", "aten::add", "nvjet"}) {
            kinetoscope::model::RooflineRow row;
            row.name = name;
            row.count = roofline->rows.size();
            row.timeNs = 1000 * static_cast<TimeNs>(roofline->rows.size());
            row.flops = 5'000'000;
            if (roofline->rows.size() == 1) {
                row.efficiency = 1.25;
                row.note = "above the roof";
            }
            roofline->rows.push_back(row);
        }
        model->setRoofline(roofline);
    };
    return {model, fill, [] {}, [=] { model->setRoofline(nullptr); }, 3};
}

/// What the session keeps for the list of runs.
struct OpenRuns {
    std::vector<session::Run> runs;
    session::CompareState state{runs};
    RunsModel model{state};
};

Case runsCase() {
    const auto open = std::make_shared<OpenRuns>();
    const auto fill = [open] {
        open->runs.clear();
        for (const char* name : {"b.json", "a.json"}) {
            open->runs.push_back({name, name, testTrace(), nullptr, {}});
        }
        open->state.refreshItems();
    };
    const auto clear = [open] {
        open->runs.clear();
        open->state.refreshItems();
    };
    const auto change = [open] { open->state.setRole("a.json", session::CompareRole::Baseline); };
    return {std::shared_ptr<ColumnTableModel>(open, &open->model), fill, change, clear, 2};
}

/// All roles of all cells, and the rows in the order of their source.
void readEverything(const ColumnTableModel& model) {
    std::set<std::uint32_t> sources;
    for (int row = 0; row < model.rowCount(); ++row) {
        sources.insert(model.sourceRow(row));
        QCOMPARE(model.shownRow(model.sourceRow(row)), row);
        for (int column = 0; column < model.columnCount(); ++column) {
            for (int role = Qt::DisplayRole; role <= Qt::InitialSortOrderRole; ++role) {
                (void)model.index(row, column).data(role);
            }
            for (int role = ShareRole; role <= SwatchRole; ++role) {
                (void)model.index(row, column).data(role);
            }
            // Made plain once: twice, people read the tags of the first time.
            QVERIFY(!model.index(row, column).data(Qt::ToolTipRole).toString().contains("&lt;p"));
            (void)model.wholeText(row, column);
            (void)model.exportText(row, column);
        }
    }
    QCOMPARE(sources.size(), static_cast<std::size_t>(model.rowCount()));
}

/// In both directions by each column; kept indexes stay with their rows.
void sortEverything(ColumnTableModel& model) {
    for (int column = -1; column < model.columnCount(); ++column) {
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            std::vector<std::pair<QPersistentModelIndex, std::uint32_t>> kept;
            for (int row = 0; row < model.rowCount(); ++row) {
                kept.emplace_back(model.index(row, 0), model.sourceRow(row));
            }
            model.sort(column, order);
            for (const auto& [index, source] : kept) {
                QVERIFY(index.isValid());
                QCOMPARE(model.sourceRow(index.row()), source);
            }
            readEverything(model);
        }
    }
}

}  // namespace

class ModelContractTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        // No results of whoever runs this.
        QVERIFY(m_folder.isValid());
        qputenv("KINETOSCOPE_RESULTS", m_folder.path().toUtf8());
    }
    void init() { failOnQtWarnings(); }

    void everyModelKeepsTheContract_data() {
        QTest::addColumn<MakeCase>("make");
        for (const auto& [name, make] : m_cases) {
            QTest::newRow(name) << make;
        }
    }
    void everyModelKeepsTheContract() {
        QFETCH(MakeCase, make);
        const Case one = make();
        ColumnTableModel& model = *one.model;
        QCOMPARE(QString(QTest::currentDataTag()).section(QLatin1Char(' '), 0, 0),
                 QString(model.metaObject()->className()).section("::", -1));
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QCOMPARE(model.rowCount(), 0);
        sortEverything(model);
        for (int round = 0; round < 2; ++round) {
            const auto before = resets.count();
            one.fill();
            QVERIFY(resets.count() > before);
            QCOMPARE(model.rowCount(), one.rows);
            readEverything(model);
            sortEverything(model);
            one.change();
            QCOMPARE(model.rowCount(), one.rows);
            sortEverything(model);
            model.setFilter(QStringLiteral("a"));
            sortEverything(model);
            one.fill();
            readEverything(model);
            model.setFilter(QStringLiteral("nothing has this in its name"));
            sortEverything(model);
            one.change();
            model.setFilter({});
            QCOMPARE(model.rowCount(), one.rows);
            one.clear();
            QCOMPARE(model.rowCount(), 0);
            sortEverything(model);
        }
    }

    void noModelIsForgotten() {
        static const QRegularExpression form(
            QStringLiteral("class (\\w+) final : public (\\w+::)?\\w*Model\\b"));
        // Where they get their rows from what stands around them.
        std::map<QString, QString> tests{{"CallTreeModel", "calls/FlameGraphTest.cpp"},
                                         {"HitModel", "panels/FindPanelTest.cpp"},
                                         {"NotesModel", "window/NotesTest.cpp"},
                                         {"PaletteModel", "window/CommandPaletteTest.cpp"}};
        for (const auto& [name, make] : m_cases) {
            tests[QString(name).section(QLatin1Char(' '), 0, 0)] = "models/ModelContractTest.cpp";
        }
        int found = 0;
        for (const char* folder : {"/widgets", "/app/kinetoscope"}) {
            QDirIterator headers(QStringLiteral(KINETOSCOPE_SOURCE_DIR) + folder, {"*.h"},
                                 QDir::Files, QDirIterator::Subdirectories);
            while (headers.hasNext()) {
                for (auto it = form.globalMatch(textOf(headers.next())); it.hasNext(); ++found) {
                    const QString model = it.next().captured(1);
                    QVERIFY2(tests.contains(model), qPrintable(model + " has no test"));
                    QVERIFY2(textOf(KINETOSCOPE_SOURCE_DIR "/tests/widgets/" + tests[model])
                                 .contains("QAbstractItemModelTester"),
                             qPrintable(model));
                }
            }
        }
        QCOMPARE(found, static_cast<int>(tests.size()));
    }

private:
    const std::vector<std::pair<const char*, MakeCase>> m_cases{
        {"AreaModel", areaCase},
        {"CategoryModel", categoryCase},
        {"CompareModel", [] { return comparedCase<CompareModel>(5); }},
        {"CsvModel", csvCase},
        {"DetailsModel", detailsCase},
        {"FieldModel", fieldCase},
        {"IdleGapModel", idleGapCase},
        {"IdleGroupModel", idleGroupCase},
        {"ImportLogModel", logCase},
        {"KernelTableModel", kernelCase},
        {"OperatorTableModel", tableCase},
        {"ResultModel calls", callResultCase},
        {"ResultModel kernels", kernelResultCase},
        {"ResultModel modules", moduleResultCase},
        {"ResultModel operators", operatorResultCase},
        {"RooflineModel", rooflineCase},
        {"RunsModel", runsCase},
        {"StepChangeModel", [] { return comparedCase<StepChangeModel>(3); }},
        {"StepModel", stepCase}};
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(ModelContractTest)
#include "ModelContractTest.moc"

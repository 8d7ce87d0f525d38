// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/bench/results/ResultDocument.h"
#include "core/bench/results/ResultStore.h"
#include "core/bench/results/ResultStream.h"
#include "core/bench/workers/CompiledModule.h"
#include "core/bench/workers/KernelsRun.h"
#include "core/bench/workers/ModulesRun.h"
#include "core/bench/workers/OperatorsRun.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::bench::workers;

namespace {

// Remembers what a bench says.
class Heard final : public BenchConsole {
public:
    void warn(const std::string& message) override { warnings.push_back(message); }
    void note(const std::string& line) override { notes.push_back(line); }
    void progress(const std::string& what) override { shown.push_back(what); }
    void output(std::string_view text) override { out += text; }

    std::vector<std::string> warnings;
    std::vector<std::string> notes;
    std::vector<std::string> shown;
    std::string out;
};

constexpr const char* kTorchLine =
    R"(echo '{"event":"torch","version":"9.9","device":"cpu","threads":3}')";

OperatorsRun twoSamples() {
    OperatorsRun run;
    run.document.options.inputFile = "inputs";
    run.document.options.dtype = "float32";
    run.document.options.maxSamples = 2;
    run.document.options.repeats = 1;
    run.document.options.timeLimitS = 1.0;
    run.document.options.implementations = {"eager", "jit"};
    return run;
}

}  // namespace

class BenchWorkersTest final : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("KINETOSCOPE_RESULTS", m_folder->filePath("results").toUtf8());
    }

    void cleanup() { qunsetenv("KINETOSCOPE_TORCH"); }

    void kernelsAreSelectedByNameAndKey() {
        bench::plan::CachePlan plan;
        for (const char* name : {"poi_0", "red_1", "poi_2"}) {
            bench::plan::KernelPlan kernel;
            kernel.name = name;
            kernel.key = std::string("k") + name;
            plan.kernels.push_back(kernel);
        }
        plan.candidates = 4;
        using Indices = std::vector<std::size_t>;
        QCOMPARE(selectKernels(plan, "", {}), (Indices{0, 1, 2}));
        QCOMPARE(selectKernels(plan, "poi", {}), (Indices{0, 2}));
        QCOMPARE(selectKernels(plan, "poi", {"kpoi_2", "kred_1"}), (Indices{2}));
        const auto part = partOf(plan, {2, 0});
        QCOMPARE(part.kernels.size(), 2U);
        QCOMPARE(part.kernels[0].name, std::string("poi_2"));
        QCOMPARE(part.candidates, std::int64_t(4));
    }

    void modulesAreMeasuredKeptAndStreamed() {
        speak({kTorchLine, R"(echo '{"event":"note","message":"no such fuser"}')",
               R"(echo '{"event":"result","forward_ms":[1,2,3],"backward_ms":[4,5,6]}')"});
        ModulesRun run;
        run.groups = {"rnns"};
        run.namedRnns = {"cudnn", "aten"};
        run.stream = true;
        Heard heard;
        const auto document = runModules(run, heard);
        QVERIFY(document.has_value());
        QCOMPARE(document->torchVersion, std::string("9.9"));
        QCOMPARE(document->threads, 3);
        QCOMPARE(document->items[0].parts[1].find("backward")->samples.at(2).gpuNs, 6e6);
        QCOMPARE(heard.warnings, std::vector<std::string>{"no such fuser"});  // once
        QCOMPARE(heard.notes, std::vector<std::string>{"saved as result " + document->id});
        const auto kept = ResultStore(ResultStore::defaultFolder()).loadText("last");
        QCOMPARE(kept->text, resultJson(*document));
        ResultStream stream(ResultKind::Modules);
        for (const QString& line : QString::fromStdString(heard.out).split('\n')) {
            (void)stream.take(line.toStdString());
        }
        QCOMPARE(stream.done(), 2U);
        QCOMPARE(resultJson(stream.document()).size() > 100, true);
        QCOMPARE(stream.document().items[0].parts[0].find("forward")->samples.at(2).gpuNs, 3e6);
        QCOMPARE(stream.document().torchVersion, std::string("9.9"));
    }

    // What fastrnns prints comes as notes; a worker that breaks costs its runner.
    void aModuleThatBreaksIsNamed() {
        speak({kTorchLine, "kill -9 $$"});
        ModulesRun run;
        run.groups = {"rnns"};
        run.namedRnns = {"cudnn"};
        run.save = false;
        Heard heard;
        const auto document = runModules(run, heard);
        QVERIFY(document.has_value());
        QCOMPARE(document->failures(), 1U);
        QVERIFY(heard.notes.at(0).starts_with("Namespace(seqLength="));
        QCOMPARE(heard.notes.at(1), std::string("Benchmarking LSTMs..."));
        QCOMPARE(heard.warnings,
                 std::vector<std::string>{"cudnn: not run: its worker was killed by signal 9"});
        QVERIFY(!QFile::exists(m_folder->filePath("results")));
    }

    void withoutTorchNothingRuns() {
        qputenv("KINETOSCOPE_TORCH", "/nonexistent");
        Heard heard;
        const auto document = runModules({}, heard);
        QVERIFY(!document && document.error().message.starts_with("'/nonexistent': no program"));
        QVERIFY(heard.out.empty() && heard.notes.empty());
    }

    // A worker that breaks costs the sample it was at; the next one goes on behind it.
    void anOperatorGoesOnBehindASampleThatBreaks() {
        speak(
            {kTorchLine, "request=$(cat)",
             R"(case "$request" in *'"task":"facts"'*) exit 0;; *'"first":0'*) )"
             R"(echo '{"event":"start","index":0}'; kill -9 $$;; esac)",
             R"(echo '{"event":"start","index":1}')",
             R"(echo '{"event":"result","index":1,"implementations":{"jit":{"repeats_ns":[[50,50]]},)"
             R"("eager":{"repeats_ns":[[100,100]]}}}')"});
        OperatorsRun run = withInputs();
        Heard heard;
        const auto document = runOperators(run, heard);
        QVERIFY2(document.has_value(), document ? "" : document.error().message.c_str());
        const auto& samples = document->items.at(0).parts;
        QCOMPARE(samples.size(), 2U);
        QCOMPARE(samples[0].reason, std::string("its worker was killed by signal 9"));
        QCOMPARE(samples[1].series.size(), 2U);
        QCOMPARE(samples[1].series[0].name, std::string("eager"));
        QCOMPARE(*samples[1].speedup("jit"), 2.0);
        QVERIFY(document->items[0].done);
        QCOMPARE(heard.shown, (std::vector<std::string>{"1 to go: aten.relu.default", ""}));
        QCOMPARE(heard.notes, std::vector<std::string>{"saved as result " + document->id});
        // Nothing is left to do for who goes on with it.
        run.resume = "last";
        speak({kTorchLine, "exit 1"});
        const auto again = runOperators(run, heard);
        QVERIFY(again.has_value());
        QCOMPARE(again->id, document->id);
        QCOMPARE(resultJson(*again), resultJson(*document));
    }

    void thePlanOfOperatorsNeedsNoTorch() {
        qputenv("KINETOSCOPE_TORCH", "/nonexistent");
        const auto plan = planOperators(withInputs());
        QVERIFY(plan.has_value());
        QCOMPARE(plan->items.at(0).parts.size(), 2U);
        QCOMPARE(plan->items[0].partsRun(), 0U);
        OperatorsRun none = withInputs();
        none.document.options.operatorName = "aten.no.default";
        QVERIFY(planOperators(none).error().message.find("no inputs for aten.no.default") !=
                std::string::npos);
    }

    void aModuleOfInductorIsTimedByItsPython() {
        const QString python = m_folder->filePath("python");
        QFile file(python);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n[ \"$4\" = wall ] && echo '{\"wall_s\": 0.25}' > \"$3\"\n");
        file.close();
        file.setPermissions(QFile::ExeOwner | QFile::ReadOwner);
        QCOMPARE(CompiledModule("code.py", python.toStdString()).time().value(), 0.25);
        const auto gone = CompiledModule("code.py", "/no/python").time();
        QVERIFY(gone.error().message.ends_with("--python names another one"));
        const auto broken = CompiledModule("code.py", "false").time();
        QCOMPARE(broken.error().message, std::string("code.py: false ended with exit code 1"));
    }

private:
    // A program in the place of kscope-torch.
    void speak(const QStringList& lines) {
        const QString path = m_folder->filePath("torch");
        QFile::remove(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + lines.join('\n').toUtf8() + "\n");
        file.close();
        file.setPermissions(QFile::ExeOwner | QFile::ReadOwner);
        qputenv("KINETOSCOPE_TORCH", path.toUtf8());
    }

    OperatorsRun withInputs() {
        OperatorsRun run = twoSamples();
        run.document.options.inputFile = m_folder->filePath("inputs").toStdString();
        run.document.options.operatorName = "all";
        QFile file(m_folder->filePath("inputs"));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(
                "Operator: aten.relu.default\ncnt: 2, ((T([4], f32),), {})\n"
                "cnt: 1, ((T([8], f32),), {})\n");
        }
        return run;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(BenchWorkersTest)
#include "BenchWorkersTest.moc"

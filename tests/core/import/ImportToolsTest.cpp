// SPDX-License-Identifier: Apache-2.0
// JSON of other tools, worded as Kineto would: Proton's trees against Proton's trace, documents of
// rocprofv3 made by hand, and damaged ones. KINETOSCOPE_MUTATIONS says how many of these.
#include <fmt/format.h>
#include <QTemporaryDir>

#include <QtTest>
#include <fstream>
#include <map>
#include <sstream>

#include "core/base/Demangle.h"
#include "core/import/execution/JoinedTrace.h"
#include "core/json/Json.h"
#include "core/query/LaunchLinks.h"
#include "tests/support/Mutator.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;

namespace {

struct Sum {
    std::size_t count = 0;
    TimeNs time = 0;

    friend bool operator==(const Sum&, const Sum&) = default;
};

std::string textOf(const std::string& name) {
    std::ifstream file(KINETOSCOPE_SOURCE_DIR "/tests/data/" + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::shared_ptr<const Trace> traceOf(std::string_view text, std::size_t chunk = 4096) {
    const auto trace = test::importText(text, chunk);
    return trace ? *trace : nullptr;
}

QString messageOf(std::string_view text) {
    const auto trace = test::importText(text);
    return trace ? QString("a trace") : QString::fromStdString(trace.error().message);
}

std::map<std::string, Sum> kernelsOf(const Trace& trace) {
    std::map<std::string, Sum> kernels;
    for (const GpuOperation& operation : trace.gpuOperations()) {
        Sum& sum = kernels[demangledName(trace.name(operation.slice))];
        ++sum.count;
        sum.time += trace.duration(operation.slice);
    }
    return kernels;
}

TimeSpan spanOf(const Trace& trace, std::string_view name) {
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.name(slice) == name) {
            return trace.span(slice);
        }
    }
    return {-1, -1};
}

nlohmann::json eventOf(const Trace& trace, SliceId slice) {
    // Of a text in a test's memory nothing can be read again.
    if (trace.eventText() == nullptr) {
        return {};
    }
    const auto text = trace.eventText()->event(trace.offset(slice));
    return text ? json::parseJson(*text).value_or(nlohmann::json()) : nlohmann::json();
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? std::string() : text.replace(at, from.size(), to);
}

}  // namespace

class ImportToolsTest final : public QObject {
    Q_OBJECT

    const std::string m_twoGpus = textOf("proton/two_gpus.hatchet");
    const std::string m_rocprof = textOf("rocprof/results.json");

private slots:
    // Each process counts its calls from the same number on.
    void processesOfRocprofKeepTheirCorrelations() {
        const auto process = [](int pid, int start) {
            return fmt::format(
                R"({{"metadata": {{"pid": {0}}}, "agents": [{{"id": {{"handle": 1}}, "type": 2}}],)"
                R"("strings": {{"buffer_records": [{{"kind": "HIP_RUNTIME_API", "operations":)"
                R"( ["launch {0}"]}}]}}, "kernel_symbols": [{{"kernel_id": 1,)"
                R"( "formatted_kernel_name": "kernel {0}"}}], "buffer_records":)"
                R"({{"hip_api": [{{"kind": 0, "operation": 0, "thread_id": {0}, "correlation_id":)"
                R"( {{"internal": 1}}, "start_timestamp": {1}, "end_timestamp": {2}}}],)"
                R"("kernel_dispatch": [{{"correlation_id": {{"internal": 1}}, "start_timestamp":)"
                R"( {3}, "end_timestamp": {4}, "dispatch_info": {{"agent_id": {{"handle": 1}},)"
                R"( "kernel_id": 1}}}}]}}}})",
                pid, start, start + 10, start + 200, start + 240);
        };
        const auto trace = traceOf(fmt::format(R"({{"rocprofiler-sdk-tool": [{}, {}]}})",
                                               process(100, 1'000), process(200, 1'050)));
        QVERIFY(trace);
        const query::LaunchLinks links(*trace);
        QCOMPARE(trace->gpuOperations().size(), 2U);
        for (GpuOpId operation = 0; operation < 2; ++operation) {
            const SliceId call = links.apiCall(operation);
            QVERIFY(call != kNoSlice);
            const std::string_view kernel = trace->name(trace->gpuOperations()[operation].slice);
            QCOMPARE(trace->name(call).substr(7), kernel.substr(7));
        }
    }

    void protonsTreeAgreesWithItsTrace() {
        const auto tree = traceOf(textOf("proton/proton_tree.hatchet"));
        const auto trace = traceOf(textOf("proton/proton_trace.chrome_trace"));
        QVERIFY(tree && trace);
        QCOMPARE(tree->info().format, "Proton tree");
        const auto sums = kernelsOf(*tree);
        const auto traced = kernelsOf(*trace);
        QCOMPARE(sums.size(), 2U);
        for (const auto& [name, sum] : traced) {
            QVERIFY2(sums.contains(name), name.c_str());
            QCOMPARE(sums.at(name).count, sum.count);
        }
        const auto product = std::ranges::find_if(
            sums, [](const auto& entry) { return entry.first.starts_with("sm80_xmma_gemm"); });
        QCOMPARE(product->second, (Sum{5, 280'608}));
        QCOMPARE(spanOf(*tree, "step").duration(), 280'608 + 10'656);
        QCOMPARE(spanOf(*tree, "mm"), (TimeSpan{10'656, 291'264}));
        QCOMPARE(tree->info().devices.at(0).name, "CUDA 90");
        QCOMPARE(tree->info().devices.at(0).multiprocessors, 132);
        QVERIFY(tree->log().find("no_times"));
        QCOMPARE(tree->log().skipped, 0U);
    }

    // The first writers began their words with capitals.
    void treesOfTheFirstWriters() {
        const auto trace = traceOf(R"json([{"frame": {"name": "ROOT"}, "metrics": {}, "children": [
            {"frame": {"name": "k"}, "children": [],
             "metrics": {"Count": 3, "Time (ns)": 100, "DeviceId": 1, "DeviceType": "HIP"}}]},
            {"HIP": {"1": {"arch": "gfx942", "num_sms": 304}}}])json");
        QVERIFY(trace);
        QCOMPARE(kernelsOf(*trace).at("k"), (Sum{3, 100}));
        QCOMPARE(trace->gpuOperations()[0].gpu, 1);
        QVERIFY(trace->info().device(1) != nullptr);
    }

    void treesOfSeveralGpus() {
        for (const std::size_t chunk : {std::size_t{64}, import::source::kTextChunk}) {
            const auto trace = traceOf(m_twoGpus, chunk);
            QVERIFY(trace);
            QCOMPARE(kernelsOf(*trace).at("k"), (Sum{6, 157}));
            std::map<std::int32_t, std::vector<TimeSpan>> spans;
            for (const GpuOperation& operation : trace->gpuOperations()) {
                spans[operation.gpu].push_back(trace->span(operation.slice));
            }
            // What does not divide evenly is spread, and nothing of it gets lost.
            QCOMPARE(spans.at(0),
                     (std::vector<TimeSpan>{{0, 34}, {34, 67}, {67, 100}, {100, 104}, {104, 107}}));
            QCOMPARE(spans.at(1), (std::vector<TimeSpan>{{0, 50}}));
            std::map<std::string, std::vector<TimeSpan>> scopes;
            for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
                if (trace->category(slice) == Category::GpuUserAnnotation) {
                    scopes[std::string(trace->name(slice))].push_back(trace->span(slice));
                    if (trace->name(slice) == "a") {
                        QCOMPARE(eventOf(*trace, slice)["args"]["flops16"], 1000);
                    }
                }
            }
            QCOMPARE(scopes.size(), 2U);
            QCOMPARE(scopes.at("a"), (std::vector<TimeSpan>{{0, 100}, {0, 50}}));
            QCOMPARE(scopes.at("b"), (std::vector<TimeSpan>{{0, 50}}));
        }
    }

    void treesThatCannotBeReadWhole() {
        const auto cut = traceOf(m_twoGpus.substr(0, m_twoGpus.find("{\"name\": \"b\"")));
        QVERIFY(cut);
        QCOMPARE(kernelsOf(*cut).at("k"), (Sum{3, 100}));
        QVERIFY(cut->log().find("damaged_tree"));
        QVERIFY(messageOf("[{\"frame\": {\"name\": \"ROOT\"}, \"metrics\": {\"cycles\": 7}}]")
                    .contains("without times"));
        // So many launches are not laid out one by one.
        const auto many =
            traceOf(replaced(m_twoGpus, "\"count\": 3", "\"count\": 9223372036854775807"));
        QVERIFY(many);
        QCOMPARE(kernelsOf(*many).at("k"), (Sum{3, 157}));
        QVERIFY(many->log().find("sums_as_one"));
        const auto one = traceOf(
            R"json([{"frame": {"name": "ROOT"}, "metrics": {}, "children": [
            {"frame": {"name": "k"}, "children": [], "metrics": {"count": 9223372036854775807,
             "time (ns)": 100, "device_id": "0", "device_type": "CUDA"}}]}])json");
        QCOMPARE(kernelsOf(*one).at("k"), (Sum{1, 100}));
        const auto first = eventOf(*many, many->gpuOperations()[0].slice);
        QCOMPARE(first["args"]["count"].get<std::int64_t>(), INT64_MAX);
        // Scopes far inside of each other neither take the stack nor end in a message.
        std::string deep = "[";
        constexpr int kDepth = 100'000;
        for (int i = 0; i < kDepth; ++i) {
            deep += "{\"frame\": {\"name\": \"x\"}, \"children\": [";
        }
        deep +=
            "{\"frame\": {\"name\": \"k\"}, "
            "\"metrics\": {\"time (ns)\": 5, \"device_id\": \"0\"}}";
        for (int i = 0; i < kDepth; ++i) {
            deep += "]}";
        }
        const auto nested = traceOf(deep + "]");
        QVERIFY(nested);
        QCOMPARE(kernelsOf(*nested).at("k"), (Sum{1, 5}));
    }

    void recordsOfRocprof() {
        const auto trace = traceOf(m_rocprof);
        QVERIFY(trace);
        QCOMPARE(trace->info().format, "rocprofv3 JSON");
        QCOMPARE(trace->sliceCount(), 5U);
        QCOMPARE(trace->gpuOperations().size(), 2U);
        const GpuOperation& kernel = trace->gpuOperations()[0];
        QCOMPARE(trace->name(kernel.slice), std::string_view("gemm(float*)"));
        QCOMPARE(trace->span(kernel.slice), (TimeSpan{2000, 2500}));
        QVERIFY(kernel.gpu == 1 && kernel.stream == 3 && kernel.registers == 64);
        QCOMPARE(kernel.sharedBytes, 512U);
        QCOMPARE(kernel.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
        QCOMPARE(kernel.block, (std::array<std::uint16_t, 3>{256, 1, 1}));
        const GpuOperation& copy = trace->gpuOperations()[1];
        QCOMPARE(trace->name(copy.slice), std::string_view("Memcpy HtoD"));
        QVERIFY(copy.gpu == 0 && copy.bytes == 4096);
        const query::LaunchLinks links(*trace);
        QCOMPARE(trace->name(links.apiCall(0)), std::string_view("hipLaunchKernel"));
        QCOMPARE(trace->name(links.apiCall(1)), std::string_view("hipMemcpyAsync"));
        QCOMPARE(trace->category(links.apiCall(0)), Category::Runtime);
        QCOMPARE(spanOf(*trace, "step#4"), (TimeSpan{900, 1400}));
        // Process 1 and GPU 1 are two rows.
        QVERIFY(trace->tracks()[trace->trackOf(links.apiCall(0))].process !=
                trace->tracks()[trace->trackOf(kernel.slice)].process);
        QCOMPARE(trace->info().device(1)->name, "AMD Instinct MI300X");
        QCOMPARE(trace->info().device(1)->multiprocessors, 304);
        QCOMPARE(trace->info().device(0)->name, "gfx942");
        QCOMPARE(trace->log().find("other_records")->example,
                 "records that are not shown: scratch_memory");
        QVERIFY(trace->log().events == 5 && trace->log().skipped == 0);
        QCOMPARE(eventOf(*trace, kernel.slice)["args"]["queue"], 6);
    }

    void earlierDocumentsOfRocprof() {
        // One process without a list around it, and other names of lists.
        std::string one = replaced(m_rocprof, "[{\n \"metadata\"", "{\n \"metadata\"");
        one = replaced(one, "\"pc_sample_host_trap\": []}}]}", "\"pc_sample_host_trap\": []}}}");
        one = replaced(one, "\"kernel_dispatch\":", "\"kernel_dispatches\":");
        one = replaced(one, "\"stream_id\": {\"handle\": 3}, ", "");
        const auto trace = traceOf(one);
        QVERIFY(trace);
        QCOMPARE(trace->sliceCount(), 5U);
        QCOMPARE(trace->gpuOperations()[0].stream, 6);
    }

    void damagedDocumentsOfRocprof() {
        const auto broken = traceOf(replaced(m_rocprof, "\"start_timestamp\": 1000", "\"st"));
        QVERIFY(broken);
        QVERIFY(broken->log().find("malformed_event"));
        QVERIFY(!kernelsOf(*broken).empty());
        const auto cut = traceOf(m_rocprof.substr(0, m_rocprof.find("\"marker_api\": [{\"kind\"")));
        QVERIFY(cut);
        QCOMPARE(cut->sliceCount(), 3U);
        QVERIFY(cut->log().find("truncated_text"));
        for (const char* empty :
             {R"({"rocprofiler-sdk-tool": []})", R"({"roc\u0070rofiler\u002dsdk-tool": []})"}) {
            QVERIFY(messageOf(empty).contains("without \"buffer_records\""));
        }
    }

    void executionTraceTellsInputs() {
        const std::string path = KINETOSCOPE_SOURCE_DIR "/tests/data/execution/et.json";
        const auto execution = import::execution::ExecutionTrace::read(path, {});
        QVERIFY(execution);
        QCOMPARE((*execution)->operators(), std::size_t{2});
        const auto plain =
            import::loadTrace(KINETOSCOPE_SOURCE_DIR "/tests/data/execution/trace.json");
        QVERIFY(plain);
        const auto trace = import::execution::joined(*plain, *execution);
        QVERIFY(trace);
        QCOMPARE((*trace)->sliceCount(), std::size_t{3});
        const auto product = eventOf(**trace, 0)["args"];
        QCOMPARE(product["Input Dims"], json::parseJson("[[2, 3], [3, 4], [], [[5], [6]], []]"));
        QCOMPARE(product["Input type"],
                 json::parseJson("[\"float\", \"c10::BFloat16\", \"Scalar\", \"TensorList\", "
                                 "\"ScalarList\"]"));
        QCOMPARE(product["Concrete Inputs"],
                 json::parseJson("[\"\", \"\", \"True\", \"\", \"[1, 2]\"]"));
        QCOMPARE(product["Input Strides"][0], json::parseJson("[3, 1]"));
        QCOMPARE(product["Record function id"], 7);
        // What the trace tells itself stays, and nothing is added to what is not in the other file.
        QCOMPARE(eventOf(**trace, 1)["args"]["Input Dims"], json::parseJson("[[9]]"));
        QCOMPARE(eventOf(**trace, 1)["args"]["Input type"], json::parseJson("[\"long int\"]"));
        QVERIFY(!eventOf(**trace, 2)["args"].contains("Input Dims"));
        std::vector<std::uint64_t> offsets;
        for (SliceId slice = 0; slice < 3; ++slice) {
            offsets.push_back((*trace)->offset(slice));
        }
        std::vector<std::string> dims(3);
        QVERIFY((*trace)->eventText()->argument(
            offsets, "Input Dims",
            [&](std::size_t index, std::string_view json) { dims[index] = json; }));
        QCOMPARE(dims, (std::vector<std::string>{"[[2,3],[3,4],[],[[5],[6]],[]]", "[[9]]", ""}));
        std::size_t listed = 0;
        QVERIFY((*trace)->eventText()->forEach(
            [&](const ListedEvent& event) -> Result<void> {
                listed += event.json.find("[[2,3],") != std::string_view::npos ? 1U : 0U;
                return {};
            },
            {}, nullptr));
        QCOMPARE(listed, std::size_t{1});
    }

    void executionTraceOfAnotherRun() {
        const std::string path = KINETOSCOPE_SOURCE_DIR "/tests/data/execution/et.json";
        const auto other =
            import::loadTrace(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/inductor_module1.json.gz");
        const auto execution = import::execution::ExecutionTrace::read(path, {});
        QVERIFY(other && execution);
        const auto joined = import::execution::joined(*other, *execution);
        QVERIFY(!joined);
        QVERIFY(QString::fromStdString(joined.error().message).contains("in common"));
        // Alone it opens with a message, and what is no execution trace is refused as one.
        QVERIFY(messageOf(textOf("execution/et.json")).contains("--execution-trace"));
        QVERIFY(!import::execution::ExecutionTrace::read(
            KINETOSCOPE_SOURCE_DIR "/tests/data/rocprof/results.json", {}));
    }

    void damagedExecutionTraces() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("et.json").toStdString();
        const std::string good = textOf("execution/et.json");
        const std::size_t count = test::mutations(100);
        test::Mutator mutator(20261124);
        std::size_t read = 0;
        for (std::size_t round = 0; round < count; ++round) {
            std::ofstream(path, std::ios::binary) << mutator.json(good);
            const auto execution = import::execution::ExecutionTrace::read(path, {});
            QVERIFY(execution || !execution.error().message.empty());
            read += execution && (*execution)->inputs(7) != nullptr ? 1U : 0U;
        }
        QVERIFY(read > 0);
    }

    void anyBytesEndInATraceOrAMessage() {
        const std::size_t count = test::mutations(150);
        for (const std::string& good :
             {m_twoGpus, m_rocprof, textOf("proton/proton_trace.chrome_trace")}) {
            test::Mutator mutator(20261124);
            std::size_t read = 0;
            for (std::size_t round = 0; round < count; ++round) {
                const auto trace = test::importText(mutator.json(good), 4096);
                QVERIFY(trace || !trace.error().message.empty());
                if (!trace) {
                    continue;
                }
                ++read;
                QVERIFY((*trace)->log().skipped <= (*trace)->log().events);
                for (SliceId slice = 0; slice < (*trace)->sliceCount(); slice += 7) {
                    (void)eventOf(**trace, slice);
                }
            }
            QVERIFY(read > count / 4);
        }
    }
};

QTEST_APPLESS_MAIN(ImportToolsTest)
#include "ImportToolsTest.moc"

// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "core/bench/plan/Cubin.h"
#include "core/bench/plan/KernelPlan.h"
#include "core/bench/plan/ModuleKernels.h"
#include "core/bench/plan/PlanJson.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::plan;
using namespace kinetoscope::metrics;

namespace {

const QString kPlans = QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/golden/plans");
// A whole cache with what a plan needs of it, and whole ones as they were, beside the checkout on
// some machines; elsewhere those are skipped.
const QString kReduced = QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/inductor/");
const QString kShared = QStringLiteral(KINETOSCOPE_SOURCE_DIR "/../shared/inductor/");

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes) {
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

CachePlan planOf(const QString& folder) {
    auto plan = planCaches({folder.toStdString()});
    return plan ? std::move(*plan) : CachePlan();
}

const KernelPlan* kernelNamed(const CachePlan& plan, const std::string& name) {
    for (const KernelPlan& kernel : plan.kernels) {
        if (kernel.name == name) {
            return &kernel;
        }
    }
    return nullptr;
}

QString gridText(const Grid& grid) {
    return QStringLiteral("%1 %2 %3").arg(grid[0]).arg(grid[1]).arg(grid[2]);
}

// One line per configuration: everything that a launch needs.
QStringList planLines(const CachePlan& plan) {
    QStringList lines;
    for (const KernelPlan& kernel : plan.kernels) {
        QString head = QString::fromStdString(kernel.key.substr(0, 10) + ' ' + kernel.name + ' ' +
                                              kernel.category);
        if (!kernel.runnable()) {
            lines += head + " not run: " + QString::fromStdString(kernel.reason);
        }
        for (const ConfigPlan& config : kernel.configs) {
            QString parameters;
            for (const ParameterPlan& parameter : config.parameters) {
                parameters += parameter.kind == ParameterPlan::Kind::Buffer ? QStringLiteral("*")
                              : parameter.kind == ParameterPlan::Kind::Value
                                  ? QString::number(parameter.value)
                                  : QStringLiteral("0");
                parameters += ' ';
            }
            lines += QStringLiteral("%1 | %2 %3 %4 | %5 | %6 | %7 | %8 | x%9")
                         .arg(head)
                         .arg(config.grid[0])
                         .arg(config.grid[1])
                         .arg(config.grid[2])
                         .arg(config.threads)
                         .arg(config.entry.sharedBytes)
                         .arg(parameters.trimmed(), QString::fromStdString(config.label))
                         .arg(config.copies) +
                     (config.winner ? " autotuned" : "");
        }
    }
    return lines;
}

}  // namespace

class PlanTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void reducedCacheIsPlannedWhole();
    void autotunedKernelHasTwoConfigurations();
    void wholeCachesAreAsTheirGoldenPlans_data();
    void wholeCachesAreAsTheirGoldenPlans();
    void movedCacheGivesTheSamePlan();
    void tritonCacheAloneListsItsKernels();
    void oldFormsArePlanned();
    void cubinTellsItsParameters();
    void everyCutOfACubinIsAnError();
    void damagedBytesOfACubinNeverCrash();
    void foldedBlockSizesAreOne_data();
    void foldedBlockSizesAreOne();
    void missingCubinIsNamed();
    void truncatedJsonIsNamed();
    void wrongParametersAreNotLaunched();
    void bestConfigOfAnotherKernelDoesNotCount();
    void contradictingBestConfigIsNotLaunched();
    void hugeArgumentIsRefused();
    void otherArchitecturesAreTold();
    void moduleKernelsAreFoundByTheirText();
    void modulesOfNoCacheHaveAReason();
    void cachesOfAModuleAreWhereItLies();
    void gridsOfAllTypes_data();
    void gridsOfAllTypes();
    void unknownGridTypeHasAReason();
    void oddNamesStayData();
    void folderThatIsNotThereIsAnError();

private:
    // A copy of a reduced cache, to break.
    [[nodiscard]] QString copy(const QString& name, QTemporaryDir& folder) const;
    // A copy in which the one file of this pattern has `from` replaced.
    [[nodiscard]] QString altered(const QString& name, QTemporaryDir& folder,
                                  const QString& pattern, const char* from, const char* to) const;
};

void PlanTest::initTestCase() {
    QVERIFY(QDir(kPlans + "/cache").exists());
}

QString PlanTest::copy(const QString& name, QTemporaryDir& folder) const {
    const QString from = kPlans + '/' + name;
    QDirIterator it(from, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = it.next();
        write(folder.path() + path.mid(from.size()), content(path));
    }
    return folder.path();
}

QString PlanTest::altered(const QString& name, QTemporaryDir& folder, const QString& pattern,
                          const char* from, const char* to) const {
    const QString cache = copy(name, folder);
    QDirIterator it(cache, {pattern}, QDir::Files, QDirIterator::Subdirectories);
    const QString path = it.next();
    write(path, content(path).replace(from, to));
    return cache;
}

void PlanTest::reducedCacheIsPlannedWhole() {
    const QStringList lines = planLines(planOf(kPlans + "/cache"));
    QCOMPARE(lines.size(), 5);
    const QString expected = QString::fromUtf8(content(kPlans + "/cache.plan.txt"));
    QCOMPARE(lines.join('\n') + '\n', expected);
}

void PlanTest::autotunedKernelHasTwoConfigurations() {
    const CachePlan plan = planOf(kPlans + "/autotuned");
    QCOMPARE(plan.kernels.size(), 1U);
    const auto& configs = plan.kernels[0].configs;
    QCOMPARE(configs.size(), 2U);
    QCOMPARE(configs[0].blocks.at("XBLOCK"), 1024);
    QCOMPARE(configs[0].copies, 2);
    QVERIFY(configs[0].winner);
    QCOMPARE(configs[1].blocks.at("XBLOCK"), 512);
    QVERIFY(!configs[1].winner);
    QCOMPARE(configs[1].grid[0], 32768);
    QVERIFY(plan.kernels[0].buffers[0].mutated);
    QCOMPARE(plan.kernels[0].memoryBytes(), 3 * 33554432);
}

void PlanTest::wholeCachesAreAsTheirGoldenPlans_data() {
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("archive");
    QTest::addColumn<int>("kernels");
    QTest::newRow("mlp_train, reduced") << kReduced << "mlp_train_cache" << 17;
    QTest::newRow("mlp_train") << kShared << "mlp_train_cache" << 17;
    QTest::newRow("categories") << kShared << "categories_cache" << 5;
}

void PlanTest::wholeCachesAreAsTheirGoldenPlans() {
    QFETCH(QString, place);
    QFETCH(QString, archive);
    QFETCH(int, kernels);
    const QString path = place + archive + ".tar.gz";
    if (place == kShared && !QFile::exists(path)) {
        QSKIP("no caches beside the checkout");
    }
    QTemporaryDir folder;
    QCOMPARE(QProcess::execute("tar", {"xzf", path, "-C", folder.path()}), 0);
    const CachePlan plan = planOf(folder.path());
    QCOMPARE(plan.kernels.size(), static_cast<std::size_t>(kernels));
    const QString expected = QString::fromUtf8(content(kPlans + '/' + archive + ".plan.txt"));
    QCOMPARE(planLines(plan).join('\n') + '\n', expected);
    QVERIFY(plan.problems.empty());
}

void PlanTest::movedCacheGivesTheSamePlan() {
    QTemporaryDir folder;
    QCOMPARE(planLines(planOf(copy("cache", folder))), planLines(planOf(kPlans + "/cache")));
}

void PlanTest::tritonCacheAloneListsItsKernels() {
    const CachePlan plan = planOf(kPlans + "/cache/triton_cache");
    QCOMPARE(plan.kernels.size(), 5U);
    for (const KernelPlan& kernel : plan.kernels) {
        QVERIFY(!kernel.runnable());
        QVERIFY(kernel.reason.find("source") != std::string::npos);
    }
}

void PlanTest::oldFormsArePlanned() {
    QTemporaryDir folder;
    const QString cache = copy("autotuned", folder);
    QDirIterator it(cache + "/inductor_cache", {"*.py"}, QDir::Files, QDirIterator::Subdirectories);
    const QString path = it.next();
    QByteArray text = content(path);
    // What PyTorch 2.4 wrote: a list, parameters by number, the length and the grid in run().
    text.replace("size_hints={'x': 16777216}", "size_hints=[16777216]");
    text.replace(
        "{'in_out_ptr0': '*fp16', 'in_ptr0': '*fp16', 'xnumel': 'i32', "
        "'XBLOCK': 'constexpr'}",
        "{0: '*fp16', 1: '*fp16', 2: 'i32'}");
    text.replace("'grid_type': 'Grid1D', ", "");
    text.replace("return arg_0, arg_1, 16777216,", "return arg_0, arg_1,");
    text.replace("run(*args, stream", "run(*args, 16777216, grid=grid(16777216), stream");
    write(path, text);
    QCOMPARE(planLines(planOf(cache)), planLines(planOf(kPlans + "/autotuned")));
}

void PlanTest::cubinTellsItsParameters() {
    QDirIterator it(kPlans + "/cache", {"triton_spl*.cubin"}, QDir::Files,
                    QDirIterator::Subdirectories);
    const auto cubin = readCubin(content(it.next()).toStdString());
    QVERIFY(cubin);
    QCOMPARE(cubin->architecture, 90U);
    QCOMPARE(cubin->kernels.size(), 1U);
    const CubinKernel& kernel = cubin->kernels[0];
    QCOMPARE(kernel.name, std::string("triton_spl_fused_cumsum_0"));
    const std::vector<CubinParameter> expected{{0, 8}, {8, 8}, {16, 8}, {24, 4}, {32, 8}, {40, 8}};
    QCOMPARE(kernel.parameters, expected);
    QCOMPARE(kernel.parameterBytes, 48U);
    QCOMPARE(kernel.requiredThreads, 512U);
    QVERIFY(kernel.registers && *kernel.registers > 0 && *kernel.registers <= 128);
}

void PlanTest::everyCutOfACubinIsAnError() {
    QDirIterator it(kPlans + "/cache", {"triton_for*.cubin"}, QDir::Files,
                    QDirIterator::Subdirectories);
    const std::string bytes = content(it.next()).toStdString();
    QVERIFY(readCubin(bytes));
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
        const auto cubin = readCubin(bytes.substr(0, size));
        QVERIFY(!cubin);
        QVERIFY(cubin.error().message.find('\n') == std::string::npos);
    }
}

void PlanTest::damagedBytesOfACubinNeverCrash() {
    QDirIterator it(kPlans + "/cache", {"triton_red*.cubin"}, QDir::Files,
                    QDirIterator::Subdirectories);
    const std::string bytes = content(it.next()).toStdString();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const char value : {'\0', '\x7f', '\xff'}) {
            std::string damaged = bytes;
            damaged[at] = value;
            const auto cubin = readCubin(damaged);
            QVERIFY(cubin || !cubin.error().message.empty());
        }
    }
}

void PlanTest::foldedBlockSizesAreOne_data() {
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QString>("grid");
    QTest::newRow("named") << QByteArray("%xoffset") << "50048 1 1";
    QTest::newRow("without names")
        << QByteArray("%0") << "XBLOCK of this configuration is not known";
}

// Triton folds a product with 1.
void PlanTest::foldedBlockSizesAreOne() {
    QFETCH(QByteArray, id);
    QFETCH(QString, grid);
    QTemporaryDir folder;
    const QString cache = copy("cache", folder);
    QDirIterator it(cache, {"triton_red*.ttir"}, QDir::Files, QDirIterator::Subdirectories);
    const QString ir = it.next();
    QVERIFY(QFile::remove(QString(ir).replace(".ttir", ".source")));
    write(ir,
          "tt.func public @triton_red_fused_sum_0() {\n  %c512_i32 = arith.constant 512 : i32\n  " +
              id + " = tt.get_program_id x : i32\n  %1 = arith.muli " + id +
              ", %c512_i32 : i32\n}\n");
    const CachePlan plan = planOf(cache);
    const KernelPlan* kernel = kernelNamed(plan, "triton_red_fused_sum_0");
    QVERIFY(kernel != nullptr);
    QCOMPARE(kernel->runnable() ? gridText(kernel->configs[0].grid)
                                : QString::fromStdString(kernel->reason),
             grid);
}

void PlanTest::missingCubinIsNamed() {
    QTemporaryDir folder;
    const QString cache = copy("cache", folder);
    QDirIterator it(cache, {"triton_red*.cubin"}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(QFile::remove(it.next()));
    const CachePlan plan = planOf(cache);
    QCOMPARE(plan.problems.size(), 1U);
    QVERIFY(plan.problems[0].ends_with("triton_red_fused_sum_0.cubin: is missing"));
    QCOMPARE(kernelNamed(plan, "triton_red_fused_sum_0")->reason,
             std::string("its binary is not in the given folders"));
    QVERIFY(kernelNamed(plan, "triton_spl_fused_cumsum_0")->runnable());
}

void PlanTest::truncatedJsonIsNamed() {
    QTemporaryDir folder;
    const QString cache = copy("cache", folder);
    QDirIterator it(cache, {"triton_red*.json"}, QDir::Files, QDirIterator::Subdirectories);
    const QString path = it.next();
    write(path, content(path).left(200));
    const CachePlan plan = planOf(cache);
    QCOMPARE(plan.problems.size(), 1U);
    QVERIFY(plan.problems[0].find("not a valid JSON object") != std::string::npos);
    QVERIFY(!kernelNamed(plan, "triton_red_fused_sum_0")->runnable());
}

void PlanTest::wrongParametersAreNotLaunched() {
    QTemporaryDir folder;
    const QString cache =
        altered("cache", folder, "ctt4*.py", "'xnumel': 'i32'", "'xnumel': 'i64'");
    const CachePlan plan = planOf(cache);
    QCOMPARE(kernelNamed(plan, "triton_red_fused_sum_0")->reason,
             std::string("xnumel has 8 bytes in the source and 4 in the cubin"));
}

void PlanTest::bestConfigOfAnotherKernelDoesNotCount() {
    QTemporaryDir folder;
    const QString cache = altered("autotuned", folder, "*.best_config", "FCCSM2YE", "AAAAAAAA");
    const CachePlan plan = planOf(cache);
    QCOMPARE(plan.kernels[0].configs.size(), 2U);
    QVERIFY(!plan.kernels[0].configs[0].winner);
}

void PlanTest::contradictingBestConfigIsNotLaunched() {
    QTemporaryDir folder;
    const QString cache =
        altered("autotuned", folder, "*.best_config", "\"XBLOCK\": 1024", "\"XBLOCK\": 1");
    const CachePlan plan = planOf(cache);
    // The copy of the same binary under another key has no such note and stays.
    QCOMPARE(plan.kernels[0].configs.size(), 2U);
    QVERIFY(!plan.kernels[0].configs[0].winner);
    QCOMPARE(plan.kernels[0].configs[0].grid[0], 16384);
    QCOMPARE(plan.kernels[0].configs[0].copies, 1);
}

void PlanTest::hugeArgumentIsRefused() {
    QTemporaryDir folder;
    const QString cache = copy("autotuned", folder);
    QDirIterator it(cache, {"*.py"}, QDir::Files, QDirIterator::Subdirectories);
    const QString path = it.next();
    const QByteArray text = content(path);
    QByteArray large = text;
    write(path, large.replace("(4096, 4096), (4096, 1)", "(65536, 81920), (81920, 1)"));
    CachePlan plan = planOf(cache);
    QVERIFY(plan.kernels[0].runnable());
    QCOMPARE(plan.kernels[0].buffers[0].bytes(), 10737418240);
    for (const char* shape :
         {"(4611686018427387904, 4), (4, 1)", "(2, 2), (9223372036854775807, 1)",
          "(99999999, 99999999), (99999999, 1)"}) {
        large = text;
        write(path, large.replace("(4096, 4096), (4096, 1)", shape));
        plan = planOf(cache);
        QVERIFY(!plan.kernels[0].runnable());
        QVERIFY(plan.kernels[0].reason.find("16 TiB") != std::string::npos);
    }
}

// The flags of a cubin's ELF header name the architecture it was compiled for.
void PlanTest::otherArchitecturesAreTold() {
    constexpr qsizetype kFlags = 48;
    QTemporaryDir folder;
    const QString cache = copy("cache", folder);
    QDirIterator it(cache, {"triton_red*.cubin"}, QDir::Files, QDirIterator::Subdirectories);
    const QString path = it.next();
    QByteArray cubin = content(path);
    const auto before = kernelNamed(planOf(cache), "triton_red_fused_sum_0")->configs[0];
    QCOMPARE(before.entry.architecture, 90U);
    cubin[kFlags] = static_cast<char>(80);
    cubin[kFlags + 1] = static_cast<char>(cubin[kFlags + 1] == 90 ? 80 : cubin[kFlags + 1]);
    write(path, cubin);
    const CachePlan plan = planOf(cache);
    QCOMPARE(kernelNamed(plan, "triton_red_fused_sum_0")->configs[0].entry.architecture, 80U);
    QVERIFY(planJson(plan).find("\"architecture\": 80") != std::string::npos);
}

void PlanTest::moduleKernelsAreFoundByTheirText() {
    CachePlan plan = planOf(kPlans + "/cache");
    const KernelPlan first = plan.kernels[2];
    const KernelPlan second = plan.kernels[0];
    QByteArray module = "async_compile = AsyncCompile()\n";
    for (const KernelPlan* kernel : {&first, &second, &first}) {
        module += "x = async_compile.triton('x', '''\n\n" +
                  content(QString::fromStdString(kernel->sourcePath)).replace("\\", "\\\\") +
                  "\n''', device_str='cuda')\n";
    }
    const auto found = findModuleKernels(module.toStdString(), plan);
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->indices, (std::vector<std::size_t>{2, 0}));
    QCOMPARE(found->missing, 0U);
    QCOMPARE(plan.kernels.size(), 5U);
}

void PlanTest::modulesOfNoCacheHaveAReason() {
    CachePlan plan;
    const auto found = findModuleKernels(
        "# kernel path: /tmp/x/ab/cabc.py\nx = async_compile.triton('name', '''\n"
        "@triton_heuristics.reduction()\ndef name(): pass\n''')\n",
        plan);
    QVERIFY(found);
    QCOMPARE(found->missing, 1U);
    QCOMPARE(plan.kernels[0].name, std::string("name"));
    QCOMPARE(plan.kernels[0].key, std::string("cabc"));
    QCOMPARE(plan.kernels[0].category, std::string("reduction"));
    QVERIFY(!plan.kernels[0].runnable());
    QVERIFY(findModuleKernels("x = 1\n", plan)->indices.empty());
}

void PlanTest::cachesOfAModuleAreWhereItLies() {
    QTemporaryDir folder;
    const QString module = folder.path() + "/inductor_cache/bc/cbcd.py";
    const QString elsewhere = folder.path() + "/other/xy/cxyz.py";
    write(module, "");
    write(elsewhere, "");
    QVERIFY(QDir().mkpath(folder.path() + "/triton_cache"));
    const auto text = "# kernel path: " + elsewhere.toStdString() +
                      "\na = async_compile.triton('a', ''' ''')\n"
                      "# kernel path: /ab/cab.py\nb = async_compile.triton('b', ''' ''')\n";
    const auto expected = [&](const char* name) { return (folder.path() + name).toStdString(); };
    QCOMPARE(moduleCaches(module.toStdString(), text),
             (std::vector<std::string>{expected("/inductor_cache"), expected("/triton_cache"),
                                       expected("/other")}));
    qputenv("TORCHINDUCTOR_CACHE_DIR", folder.path().toUtf8());
    QCOMPARE(moduleCaches(folder.path().toStdString() + "/output_code.py", ""),
             (std::vector<std::string>{folder.path().toStdString()}));
    qunsetenv("TORCHINDUCTOR_CACHE_DIR");
}

void PlanTest::gridsOfAllTypes_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("expected");
    QTest::newRow("1d") << "Grid1D"
                        << "xnumel, XBLOCK"
                        << "8 1 1";
    QTest::newRow("2d") << "Grid2D"
                        << "xnumel, ynumel"
                        << "8 69 1";
    QTest::newRow("3d") << "Grid3D"
                        << "xnumel, ynumel, znumel"
                        << "8 69 5";
    QTest::newRow("overflow") << "Grid2DWithYZOverflow"
                              << "xnumel, ynumel_large"
                              << "8 62500 16";
    QTest::newRow("cooperative") << "CooperativeReductionGrid"
                                 << "xnumel, RSPLIT"
                                 << "12 8 1";
    QTest::newRow("split scan") << "SplitScanGrid"
                                << "xnumel, r0_numel"
                                << "40 1000 1";
    QTest::newRow("split scan, old") << "SplitScanGrid"
                                     << "xnumel, rnumel"
                                     << "80 1000 1";
    QTest::newRow("mixed order") << "MixOrderReductionGrid"
                                 << "xnumel, r0_numel"
                                 << "16 1 1";
    QTest::newRow("fixed") << "FixedGrid"
                           << "a"
                           << "64 2 3";
    QTest::newRow("sequential") << "SequentialComboKernelGrid"
                                << "a"
                                << "311 1 1";
    QTest::newRow("round robin") << "RoundRobinComboKernelGrid"
                                 << "a"
                                 << "600 1 1";
    QTest::newRow("round robin, its least blocks") << "RoundRobinComboKernelGrid"
                                                   << "a_least"
                                                   << "1000 1 1";
}

void PlanTest::gridsOfAllTypes() {
    QFETCH(QString, type);
    QFETCH(QString, parameters);
    QFETCH(QString, expected);
    const std::string meta = "{'grid_type': '" + type.toStdString() +
                             "', 'combo_grid_meta': {'num_kernels': 2, 'min_blocks': " +
                             (parameters.contains("least") ? "1000" : "0") +
                             ", 'no_x_dim_0': False, "
                             "'xnumel_0': 1300, 'no_x_dim_1': True, 'xnumel_1': 300}}";
    const auto source = parseKernelSource("\n@triton_heuristics.pointwise(inductor_meta=" + meta +
                                              ")\n@triton.jit\ndef triton_(" +
                                              parameters.toStdString() + "):\n    pass\n",
                                          "k.py");
    QVERIFY2(source, source ? "" : source.error().message.c_str());
    IntegerArguments integers{
        {"xnumel", 1000}, {"ynumel", 1100}, {"znumel", 17}, {"rnumel", 5120}, {"r0_numel", 10240}};
    if (parameters.contains("large")) {
        integers["ynumel"] = 16000000;
    }
    const BlockSizes blocks{{"XBLOCK", 128}, {"YBLOCK", 16},      {"ZBLOCK", 4},    {"RSPLIT", 12},
                            {"RBLOCK", 64},  {"RSPLIT_SIZE", 64}, {"R0_BLOCK", 256}};
    const auto grid = launchGrid(*source, integers, blocks, {64, 2, 3});
    QVERIFY2(grid, grid ? "" : grid.error().message.c_str());
    QCOMPARE(gridText(*grid), expected);
}

void PlanTest::unknownGridTypeHasAReason() {
    const auto source = parseKernelSource(
        "\n@triton_heuristics.pointwise(inductor_meta={'grid_type': 'SpiralGrid'})\n"
        "def triton_(a):\n    pass\n",
        "k.py");
    QVERIFY(source);
    const auto grid = launchGrid(*source, {}, {}, {});
    QVERIFY(!grid);
    QCOMPARE(grid.error().message, std::string("grid type SpiralGrid is not understood"));
    const auto needsSize = launchGrid(
        *parseKernelSource("\n@triton_heuristics.pointwise(inductor_meta={'grid_type': 'Grid1D'})\n"
                           "def triton_(a):\n    pass\n",
                           "k.py"),
        {{"xnumel", 8}}, {}, {});
    QVERIFY(!needsSize);
}

void PlanTest::oddNamesStayData() {
    QTemporaryDir folder;
    const QString cache = copy("cache", folder);
    const QString odd = cache + "/triton_cache/..weird name $(touch x)\x01/";
    QDirIterator it(cache, {"triton_spl*"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = it.next();
        write(odd + QFileInfo(path).fileName(), content(path));
    }
    const CachePlan plan = planOf(cache);
    QCOMPARE(kernelNamed(plan, "triton_spl_fused_cumsum_0")->configs[0].copies, 2);
    QVERIFY(!QFile::exists("x"));
    QVERIFY(planJson(plan).find("kinetoscope.plan/1") != std::string::npos);
}

void PlanTest::folderThatIsNotThereIsAnError() {
    const auto plan = planCaches({"/nonexistent/cache"});
    QVERIFY(!plan);
    QVERIFY(plan.error().message.find("/nonexistent/cache") != std::string::npos);
}

QTEST_APPLESS_MAIN(PlanTest)
#include "PlanTest.moc"

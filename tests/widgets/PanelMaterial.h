// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QMap>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStringList>
#include <QTabWidget>
#include <functional>

#include "app/kinetoscope/MainWindow.h"
#include "tests/support/SampleBaseline.h"
#include "tests/support/SampleResults.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/history/HistoryPanel.h"

namespace kinetoscope::app {

/// What is opened for a panel and which texts it must show then; it shows none of them without.
struct PanelMaterial {
    QStringList files;
    QStringList texts;
    bool compare = false;                                ///< the first file with the others
    QString select = {};                                 ///< name of a slice
    std::function<void(MainWindow&)> prepare = nullptr;  ///< where files do not fill it
    QString find = {};                                   ///< what is searched for
    bool byHandOnly = false;                             ///< no option of a command line fills it
};

/// By the panel's id; files that have to be made are made in `folder`. A panel that the registry
/// has and this has not fails the test.
[[nodiscard]] inline QMap<QString, PanelMaterial> panelMaterial(const QString& folder) {
    const QString golden = QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/golden/");
    const QString streams = golden + "traces/four_streams.json.gz";
    const auto write = [&folder](const char* name, const std::string& text) {
        QFile file(QDir(folder).filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(text.c_str());
        }
        return file.fileName();
    };
    // A trace with notes in the file beside it.
    const auto noted = [&write] {
        std::string notes;
        for (int i = 0; i < 12; ++i) {
            notes += std::string(i == 0 ? "" : ",") + "{\"start_ns\":" + std::to_string(1000 * i) +
                     ",\"end_ns\":" + std::to_string(1000 * i + 500) + ",\"text\":\"why so long? " +
                     std::to_string(i) + "\"}";
        }
        write("noted.json.kinetoscope",
              "{\"schema\":\"kinetoscope.sidecar/1\",\"notes\":[" + notes + "]}");
        return write("noted.json",
                     "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op\",\"pid\":1,\"tid\":1,"
                     "\"ts\":0,\"dur\":50}]");
    };
    const QString gemm = "nvjet_sm90_tst_96x128_64x6_2x1_v_bz_NNN";
    return {
        {"summary", {{samplePath()}, {"NVIDIA H200", "13.25 %", "4.87 %"}}},
        {"details", {{samplePath()}, {gemm, "Launched by", "cuLaunchKernelEx"}, false, gemm}},
        {"kernels", {{samplePath()}, {gemm, "embedding_backward_feature_kernel", "36 kernels"}}},
        {"operators", {{samplePath()}, {"aten::addmm", "aten::layer_norm", "of 135 rows"}}},
        {"calltree",
         {{samplePath()},
          {"run*", "frames · "},
          false,
          {},
          [](MainWindow& window) {
              // The rows instead of the flame graph, which is a picture.
              window.docks().panel("calltree")->findChild<QComboBox*>("shown")->setCurrentIndex(1);
          }}},
        {"idle", {{samplePath()}, {"_scatter_gather_elementwise_kernel", "1 µs and longer"}}},
        {"findings", {{samplePath()}, {"waits for the host", "the ticked findings save at most"}}},
        {"path", {{samplePath()}, {"aten::gather", "of the path is inferred"}}},
        {"roofline", {{samplePath()}, {"aten::addmm", "of kernel time is modelled"}}},
        {"memory",
         {{QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/ddp_gpt_rank0.json.gz")},
          {"peak 1.4 GiB", "aten::nll_loss_backward", "gradients"}}},
        {"selection",
         {{samplePath()},
          {"aten::addmm", "selected"},
          false,
          {},
          [](MainWindow& window) {
              window.view().selectRange(window.view().trace() ? window.view().trace()->extent()
                                                              : TimeSpan());
          },
          {},
          true}},
        {"find",
         {{samplePath()}, {gemm, "kernel", "GPU 0, stream 7"}, false, {}, nullptr, "nvjet"}},
        {"durations", {{samplePath()}, {"Found: nvjet", "median"}, false, {}, nullptr, "nvjet"}},
        {"query",
         {{samplePath()},
          {"aten::addmm", "3868386"},
          false,
          {},
          [](MainWindow& window) {
              QWidget* panel = window.docks().panel("query");
              panel->findChild<QPlainTextEdit*>("sql")->setPlainText(
                  "SELECT name, sum(dur) FROM slices WHERE name LIKE 'aten::add%' GROUP BY name");
              panel->findChild<QPushButton*>("run")->click();
          }}},
        {"steps", {{samplePath()}, {"run#0", "run#1", "run#2", "run#3"}}},
        {"notes", {{noted()}, {"why so long? 7", "0.001"}}},
        {"log",
         {{write("odd.json", R"([{"ph":"X","cat":"cpu_op","name":"backwards","pid":1,"tid":1,)"
                             R"("ts":1,"dur":-5}])")},
          {"warning", "backwards"}}},
        {"runs", {{samplePath()}, {"sample.json.gz", "NVIDIA H200"}}},
        {"compare", {{streams, golden + "traces/graphs_and_links.json"}, {"cutlass"}, true}},
        {"history",
         {{},
          {"softmax", "SLOWER by 10.0 %", "12 entries on NVIDIA H200"},
          false,
          {},
          [folder](MainWindow& window) {
              const QString store = QDir(folder).filePath("store");
              test::writeBaseline(store.toStdString(),
                                  {10, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11}, "{}");
              qobject_cast<panels::HistoryPanel*>(window.docks().panel("history"))
                  ->openStore(store);
          },
          {},
          true}},
        {"bench", {{golden + "plans/cache"}, {"triton_tem_fused_mm_0", "foreach"}}},
        {"table",
         {{golden + "metric_tables/metric_table_graph_stats.csv"},
          {"num_nodes_before_fusion", "23"}}},
        {"operator-bench",
         {{write("operators.json", test::sampleOperators())},
          {"aten.mm.default"},
          false,
          {},
          [](MainWindow& window) {
              // The table behind the chart.
              window.docks().panel("operator-bench")->findChild<QTabWidget*>()->setCurrentIndex(1);
          }}},
        {"module-bench", {{write("modules.json", test::sampleModules())}, {"cudnn", "LSTM"}}},
        {"output",
         {{},
          {"epoch 1 of 3"},
          false,
          {},
          [](MainWindow& window) { emit window.recorder().output("epoch 1 of 3\n"); }}},
    };
}

}  // namespace kinetoscope::app

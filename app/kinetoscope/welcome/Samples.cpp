// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/welcome/Samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <array>

namespace kinetoscope::app {

namespace {

struct Entry {
    const char* title;
    const char* explanation;
    bool job;
    std::array<const char*, 2> files;  // in the repository; cmake/Install.cmake installs them
};

constexpr std::array kEntries{
    Entry{"Training step",
          "Four steps of a BERT on an H200, recorded with the PyTorch profiler",
          false,
          {"resources/sample.json.gz"}},
    Entry{"CUDA graphs",
          "Replays of a graph with four parallel streams, recorded with the PyTorch profiler",
          false,
          {"tests/data/traces/graph_streams.json.gz"}},
    Entry{"Two ranks of a job",
          "5 ms of a GPT trained on two GPUs: which rank kept the other waiting?",
          true,
          {"tests/data/traces/ddp_gpt_rank0.json.gz", "tests/data/traces/ddp_gpt_rank1.json.gz"}},
    Entry{"A job that hangs",
          "Two dumps of NCCL's flight recorder: which collective is stuck?",
          true,
          {"tests/data/flight/nccl_hang_rank0.pickle", "tests/data/flight/nccl_hang_rank1.pickle"}},
    Entry{"Memory snapshot",
          "PyTorch's allocator in five training steps: what held the peak?",
          false,
          {"tests/data/memory/memory_snapshot.pickle"}},
    Entry{"JAX profile",
          "Ten steps of a matrix product, recorded with jax.profiler",
          false,
          {"tests/data/xplane/jax.xplane.pb"}},
    Entry{"Recording",
          "Six steps of a small model on an H100, recorded with kscope record",
          false,
          {"tests/data/captures/training_steps.kscope.gz"}},
    Entry{"Operator results",
          "Matrix products on an H100: eager against TorchScript and Inductor",
          false,
          {"tests/data/results/aten_mm.json"}}};

/// Empty where it is neither installed nor beside the build.
QString findSample(const QDir& program, const QString& file) {
    const QString installed =
        QLatin1String("../share/kinetoscope/samples/") + QFileInfo(file).fileName();
    for (const QString& place : {installed, QLatin1String("../../../") + file}) {
        const QFileInfo found(program.absoluteFilePath(place));
        if (found.exists()) {
            return found.canonicalFilePath();
        }
    }
    return {};
}

}  // namespace

std::vector<Sample> samples() {
    const QDir program(QCoreApplication::applicationDirPath());
    std::vector<Sample> found;
    for (const Entry& entry : kEntries) {
        Sample sample{QCoreApplication::translate("Samples", entry.title),
                      QCoreApplication::translate("Samples", entry.explanation),
                      {},
                      entry.job};
        for (const char* file : entry.files) {
            if (file != nullptr) {
                sample.files.append(findSample(program, QString::fromLatin1(file)));
            }
        }
        if (!sample.files.contains(QString())) {
            found.push_back(sample);
        }
    }
    return found;
}

}  // namespace kinetoscope::app

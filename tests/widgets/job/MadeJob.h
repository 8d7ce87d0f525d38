// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>

namespace kinetoscope {

/// A job of four ranks on two hosts, whose clocks differ by 250 µs, in three steps of 5 ms that
/// begin every 10 ms. In each a rank computes for 1 ms and takes part in one all-reduce, which ends
/// 200 µs after the last arrival. In step 2 rank 2 computes for 500 µs longer, and its step is as
/// much longer. All in microseconds.
struct MadeJob {
    static constexpr int kRanks = 4;
    static constexpr int kSteps = 3;
    static constexpr int kLate = 500;
    static constexpr int kLateRank = 2;
    static constexpr int kLateStep = 2;
    static constexpr int kCompute = 1000;
    static constexpr int kTook = 200;

    static constexpr int begin(int step) { return 10'000 * step; }
    static constexpr int offset(int rank) { return rank / 2 * 250; }
    static constexpr int late(int rank, int step) {
        return rank == kLateRank && step == kLateStep ? kLate : 0;
    }
    /// On the clock of rank 0.
    static constexpr int arrival(int rank, int step) {
        return begin(step) + 100 + kCompute + late(rank, step);
    }

    /// Writes a file for each rank; their paths, or nothing where they cannot be written.
    [[nodiscard]] static QStringList write(const QString& folder) {
        QStringList paths;
        for (int rank = 0; rank < kRanks; ++rank) {
            QFile file(QDir(folder).filePath(QStringLiteral("rank%1.json").arg(rank)));
            const QByteArray text = trace(rank);
            if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
                return {};
            }
            paths.append(file.fileName());
        }
        return paths;
    }

private:
    [[nodiscard]] static QByteArray slice(const char* category, const QByteArray& name, int pid,
                                          int tid, int start, int length, const QByteArray& args) {
        return "{\"ph\":\"X\",\"cat\":\"" + QByteArray(category) + "\",\"name\":\"" + name +
               "\",\"pid\":" + QByteArray::number(pid) + ",\"tid\":" + QByteArray::number(tid) +
               ",\"ts\":" + QByteArray::number(start) + ",\"dur\":" + QByteArray::number(length) +
               ",\"args\":{" + args + "}},\n";
    }

    /// A kernel and its launch.
    [[nodiscard]] static QByteArray kernel(const QByteArray& name, int stream, int launched,
                                           int start, int length, int correlation,
                                           const QByteArray& more = {}) {
        const QByteArray id = "\"correlation\":" + QByteArray::number(correlation);
        return slice("cuda_runtime", "cudaLaunchKernel", 99, 99, launched, 4, id) +
               slice("kernel", name, 0, stream, start, length,
                     id + ",\"device\":0,\"stream\":" + QByteArray::number(stream) + more);
    }

    [[nodiscard]] static QByteArray trace(int rank) {
        const QByteArray told =
            ",\"Collective name\":\"allreduce\",\"In msg nelems\":1024,\"Out msg nelems\":1024,"
            "\"dtype\":\"BFloat16\",\"Group size\":4,\"Process Group Name\":\"0\","
            "\"Process Group Ranks\":\"[0, 1, 2, 3]\"";
        QByteArray events;
        for (int step = 1; step <= kSteps; ++step) {
            const int at = begin(step) + offset(rank);
            const int arrived = arrival(rank, step) + offset(rank);
            const int end = arrival(step == kLateStep ? kLateRank : 0, step) + kTook + offset(rank);
            events += slice("user_annotation", "ProfilerStep#" + QByteArray::number(step), 99, 99,
                            at, 5000 + late(rank, step), {});
            events += kernel("gemm", 7, at + 50, at + 100, kCompute + late(rank, step), 10 * step);
            events += kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 20, at + 60, arrived,
                             end - arrived, 10 * step + 1, told);
            events += kernel("adam", 7, at + 70, end, 300, 10 * step + 2);
        }
        events.chop(2);
        return "{\"hostname\":\"host" + QByteArray::number(rank / 2) +
               "\",\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":" + QByteArray::number(rank) +
               ",\"world_size\":4},\"traceEvents\":[\n" + events + "]}";
    }
};

}  // namespace kinetoscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

/// Exports of Nsight Systems as SQL, and a program in the place of nsys.
namespace kinetoscope::test::nsys {

// Process 300 of the first machine, its thread 301.
inline constexpr std::int64_t kProcess = (std::int64_t{1} << 48) + (std::int64_t{300} << 24);
inline constexpr std::int64_t kThread = kProcess + 301;

inline std::string rowsOf(std::string_view table, std::string_view rows) {
    std::string sql = "INSERT INTO " + std::string(table) + " VALUES " + std::string(rows) + ";";
    const auto replace = [&](std::string_view word, std::int64_t value) {
        for (std::size_t at = sql.find(word); at != std::string::npos; at = sql.find(word)) {
            sql.replace(at, word.size(), std::to_string(value));
        }
    };
    replace("$thread", kThread);
    replace("$process", kProcess);
    return sql;
}

inline const std::string kTexts =
    "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'void gemm<(int)4>(float *)'),"
    "(3, 'gemm'), (4, '_Z6secondv'), (5, 'cuMemcpyHtoDAsync_v2'), (6, 'loader'), (7, 'read'),"
    "(8, 'registered'), (9, 'Lazy Function Loading'), (10, 'cudaGraphLaunch_v10000');";

// What every version has had, in the columns of a recent one.
inline std::string recent() {
    return kTexts +
           "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER NOT NULL, end INTEGER NOT NULL,"
           " deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER,"
           " globalPid INTEGER, demangledName INTEGER, shortName INTEGER, mangledName INTEGER,"
           " registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER,"
           " blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER,"
           " dynamicSharedMemory INTEGER, graphNodeId INTEGER, graphId INTEGER);" +
           rowsOf("CUPTI_ACTIVITY_KIND_KERNEL",
                  "(2000, 2600, 0, 1, 7, 11, $process, 2, 3, 4, 32, 5, 6, 7, 128, 2, 1, 100, 28,"
                  " NULL, NULL),"
                  "(2700, 3000, 0, 1, 7, 12, $process, 2, 3, 4, 32, 5, 6, 7, 128, 2, 1, 0, 0, 77, "
                  "9)") +
           "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, eventClass "
           "INTEGER,"
           " globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER);" +
           rowsOf("CUPTI_ACTIVITY_KIND_RUNTIME",
                  "(1100, 1200, 0, $thread, 11, 1, 0), (1300, 1350, 0, $thread, 12, 10, 0),"
                  "(1400, 1500, 1, $thread, 13, 5, 0)") +
           "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER,"
           " contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
           " bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);" +
           rowsOf("CUPTI_ACTIVITY_KIND_MEMCPY",
                  "(3100, 3400, 0, 1, 7, 13, $process, 4096, 1, 0, 2)") +
           "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER, end INTEGER, deviceId INTEGER,"
           " contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
           " value INTEGER, bytes INTEGER, memKind INTEGER);" +
           rowsOf("CUPTI_ACTIVITY_KIND_MEMSET", "(3500, 3510, 0, 1, 7, 14, $process, 0, 64, 2)") +
           "CREATE TABLE NVTX_EVENTS(start INTEGER NOT NULL, end INTEGER, eventType INTEGER,"
           " category INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER);" +
           rowsOf("NVTX_EVENTS",
                  "(0, NULL, 75, NULL, 'NCCL', $thread, NULL, 5),"
                  "(0, NULL, 33, 3, 'slow ones', $thread, NULL, 5),"
                  "(1000, 4000, 59, NULL, 'step#1', $thread, NULL, 0),"
                  "(1050, 1250, 59, NULL, 'aten::mm, seq = 3, op_id = 4, sizes = [[2, 3], [3, 4]]',"
                  " $thread, NULL, 0),"
                  "(1260, 1380, 59, NULL, 'Optimizer.step#Adam.step, op_id = 6', $thread, NULL, 0),"
                  "(1390, 1520, 59, 3, NULL, $thread, 8, 5),"
                  "(4000, 5000, 59, NULL, 'step#2', $thread, NULL, 0),"
                  "(1700, 4500, 60, NULL, 'request', $thread, NULL, 0),"
                  "(4200, NULL, 59, NULL, 'still open', $thread, NULL, 0),"
                  "(1800, NULL, 34, NULL, 'here', $thread, NULL, 0)") +
           "CREATE TABLE ENUM_CUDA_MEMCPY_OPER(id INTEGER PRIMARY KEY, name TEXT, label TEXT);"
           "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'HTOD', 'Host-to-Device');"
           "CREATE TABLE ENUM_CUDA_MEM_KIND(id INTEGER PRIMARY KEY, name TEXT, label TEXT);"
           "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'P', 'Pageable'), (2, 'D', 'Device');"
           "CREATE TABLE PROCESSES(globalPid INTEGER, pid INTEGER, name TEXT);" +
           rowsOf("PROCESSES", "($process, 300, 'python3')") +
           "CREATE TABLE ThreadNames(nameId INTEGER, priority INTEGER, globalTid INTEGER);" +
           rowsOf("ThreadNames", "(6, 20, $thread)") +
           "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER);"
           "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);"
           "CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT, totalMemory INTEGER, smCount "
           "INTEGER,"
           " computeMajor INTEGER, computeMinor INTEGER);"
           "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100', 85899345920, 132, 9, 0);"
           "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);"
           "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2026.2.1.210');";
}

// A cache, a report and a shell script in the place of nsys, which counts its runs.
class FakeNsys {
public:
    FakeNsys() {
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
        qputenv("KINETOSCOPE_NSYS", m_folder.filePath("nsys").toUtf8());
    }
    FakeNsys(const FakeNsys&) = delete;
    FakeNsys& operator=(const FakeNsys&) = delete;
    ~FakeNsys() {
        qunsetenv("XDG_CACHE_HOME");
        qunsetenv("KINETOSCOPE_NSYS");
    }

    void write(const std::string& body) {
        std::ofstream script(path("nsys"));
        script << "#!/bin/sh\nHERE='" << m_folder.path().toStdString() << "'\n"
               << "for word; do case $word in --output=*) OUT=${word#--output=};; esac; done\n"
               << "echo run >> \"$HERE/runs\"\n"
               << body;
        script.close();
        QFile::setPermissions(m_folder.filePath("nsys"),
                              QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner);
    }
    [[nodiscard]] std::string path(const char* name) const {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    [[nodiscard]] std::string report() const { return path("run.nsys-rep"); }
    [[nodiscard]] int runs() const {
        QFile file(m_folder.filePath("runs"));
        return file.open(QFile::ReadOnly) ? static_cast<int>(file.readAll().count('\n')) : 0;
    }
    [[nodiscard]] QStringList kept() const {
        return QDir(m_folder.filePath("cache/kinetoscope/nsys"))
            .entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }

private:
    QTemporaryDir m_folder;
};

}  // namespace kinetoscope::test::nsys

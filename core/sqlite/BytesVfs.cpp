// SPDX-License-Identifier: Apache-2.0
#include "core/sqlite/BytesVfs.h"

#include <fmt/format.h>

#include <cstring>

namespace kinetoscope::sqlite {

namespace {

struct File {
    sqlite3_file base;
    const DatabaseBytes* bytes;
};

const DatabaseBytes& bytesOf(sqlite3_file* file) {
    return *reinterpret_cast<File*>(file)->bytes;
}

int closeFile(sqlite3_file*) {
    return SQLITE_OK;
}

int readFile(sqlite3_file* file, void* to, int count, sqlite3_int64 offset) {
    const auto wanted = static_cast<std::size_t>(count);
    char* bytes = static_cast<char*>(to);
    std::size_t have = 0;
    while (have < wanted) {
        const std::int64_t got = bytesOf(file).read(bytes + have, wanted - have,
                                                    static_cast<std::uint64_t>(offset) + have);
        if (got < 0) {
            return SQLITE_IOERR_READ;
        }
        if (got == 0) {
            std::memset(bytes + have, 0, wanted - have);
            return SQLITE_IOERR_SHORT_READ;
        }
        have += static_cast<std::size_t>(got);
    }
    return SQLITE_OK;
}

int writeFile(sqlite3_file*, const void*, int, sqlite3_int64) {
    return SQLITE_READONLY;
}

int truncateFile(sqlite3_file*, sqlite3_int64) {
    return SQLITE_READONLY;
}

int fileSize(sqlite3_file* file, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>(bytesOf(file).size());
    return SQLITE_OK;
}

int nothingToDo(sqlite3_file*, int) {
    return SQLITE_OK;
}

int noReservedLock(sqlite3_file*, int* reserved) {
    *reserved = 0;
    return SQLITE_OK;
}

int fileControl(sqlite3_file*, int, void*) {
    return SQLITE_NOTFOUND;
}

int sectorSize(sqlite3_file*) {
    return 0;
}

int deviceCharacteristics(sqlite3_file*) {
    return SQLITE_IOCAP_IMMUTABLE;
}

const sqlite3_io_methods kFileMethods = {1,
                                         closeFile,
                                         readFile,
                                         writeFile,
                                         truncateFile,
                                         nothingToDo,
                                         fileSize,
                                         nothingToDo,
                                         nothingToDo,
                                         noReservedLock,
                                         fileControl,
                                         sectorSize,
                                         deviceCharacteristics,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr};

int openFile(sqlite3_vfs* vfs, const char*, sqlite3_file* file, int flags, int* outFlags) {
    file->pMethods = nullptr;
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) {
        return SQLITE_CANTOPEN;
    }
    auto* opened = reinterpret_cast<File*>(file);
    opened->bytes = static_cast<const DatabaseBytes*>(vfs->pAppData);
    opened->base.pMethods = &kFileMethods;
    if (outFlags != nullptr) {
        *outFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    }
    return SQLITE_OK;
}

int deleteFile(sqlite3_vfs*, const char*, int) {
    return SQLITE_READONLY;
}

int accessFile(sqlite3_vfs*, const char*, int, int* result) {
    *result = 0;
    return SQLITE_OK;
}

int fullPath(sqlite3_vfs*, const char* name, int capacity, char* path) {
    sqlite3_snprintf(capacity, path, "%s", name);
    return SQLITE_OK;
}

}  // namespace

BytesVfs::BytesVfs(std::shared_ptr<const DatabaseBytes> bytes)
    : m_bytes(std::move(bytes)), m_name(fmt::format("kinetoscope-{}", fmt::ptr(this))) {
    // Functions that have nothing to do with files are the system's.
    sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    m_vfs.iVersion = 1;
    m_vfs.szOsFile = sizeof(File);
    m_vfs.mxPathname = 512;
    m_vfs.zName = m_name.c_str();
    // SQLite's pointer is not const; nothing writes through it.
    m_vfs.pAppData = const_cast<DatabaseBytes*>(m_bytes.get());
    m_vfs.xOpen = openFile;
    m_vfs.xDelete = deleteFile;
    m_vfs.xAccess = accessFile;
    m_vfs.xFullPathname = fullPath;
    if (system != nullptr) {
        m_vfs.xRandomness = system->xRandomness;
        m_vfs.xSleep = system->xSleep;
        m_vfs.xCurrentTime = system->xCurrentTime;
        m_vfs.xGetLastError = system->xGetLastError;
    }
    sqlite3_vfs_register(&m_vfs, 0);
}

BytesVfs::~BytesVfs() {
    sqlite3_vfs_unregister(&m_vfs);
}

}  // namespace kinetoscope::sqlite

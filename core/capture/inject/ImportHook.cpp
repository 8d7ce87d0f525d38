// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/ImportHook.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string_view>

// The loader reports addresses as integers. NOLINTBEGIN(performance-no-int-to-ptr)
namespace kinetoscope::capture::inject {

namespace {

struct Search {
    std::string_view name;
    void* replacement = nullptr;
    std::string_view importer;  // in its path
    int changed = 0;
};

struct DynamicTables {
    const ElfW(Sym) * symbols = nullptr;
    const char* strings = nullptr;
    const ElfW(Rela) * plt = nullptr;
    std::size_t pltBytes = 0;
    const ElfW(Rela) * data = nullptr;
    std::size_t dataBytes = 0;
};

// glibc has already turned these entries into addresses, except in the kernel's own library.
template <class T>
const T* at(const ElfW(Dyn) & entry) {
    return reinterpret_cast<const T*>(entry.d_un.d_ptr);
}

DynamicTables tablesOf(const dl_phdr_info& info) {
    DynamicTables tables;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) {
            continue;
        }
        const auto* entry =
            reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; ++entry) {
            switch (entry->d_tag) {
                case DT_SYMTAB:
                    tables.symbols = at<ElfW(Sym)>(*entry);
                    break;
                case DT_STRTAB:
                    tables.strings = at<char>(*entry);
                    break;
                case DT_JMPREL:
                    tables.plt = at<ElfW(Rela)>(*entry);
                    break;
                case DT_PLTRELSZ:
                    tables.pltBytes = entry->d_un.d_val;
                    break;
                case DT_RELA:
                    tables.data = at<ElfW(Rela)>(*entry);
                    break;
                case DT_RELASZ:
                    tables.dataBytes = entry->d_un.d_val;
                    break;
                default:
                    break;
            }
        }
    }
    return tables;
}

bool isImport(std::uint64_t relocation) {
#if defined(__x86_64__)
    const auto type = ELF64_R_TYPE(relocation);
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
    const auto type = ELF64_R_TYPE(relocation);
    return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
#else
    return relocation != relocation;
#endif
}

bool replace(void** slot, void* replacement) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    void* begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(slot) / page * page);
    // The table is read-only in libraries linked with full protection. It stays writable.
    if (::mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    __atomic_store_n(slot, replacement, __ATOMIC_RELEASE);
    return true;
}

void searchTable(const dl_phdr_info& info, const DynamicTables& tables,
                 const ElfW(Rela) * relocations, std::size_t bytes, Search& search) {
    for (std::size_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i) {
        const auto& relocation = relocations[i];
        if (!isImport(relocation.r_info)) {
            continue;
        }
        const auto& symbol = tables.symbols[ELF64_R_SYM(relocation.r_info)];
        if (search.name != tables.strings + symbol.st_name) {
            continue;
        }
        auto* slot = reinterpret_cast<void**>(info.dlpi_addr + relocation.r_offset);
        if (*slot != search.replacement && replace(slot, search.replacement)) {
            ++search.changed;
        }
    }
}

int searchLibrary(dl_phdr_info* info, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
    if (path.find("linux-vdso") != std::string_view::npos ||
        path.find(search.importer) == std::string_view::npos) {
        return 0;
    }
    const DynamicTables tables = tablesOf(*info);
    if (tables.symbols != nullptr && tables.strings != nullptr) {
        searchTable(*info, tables, tables.plt, tables.pltBytes, search);
        searchTable(*info, tables, tables.data, tables.dataBytes, search);
    }
    return 0;
}

int readCount(dl_phdr_info* info, std::size_t, void* data) {
    *static_cast<unsigned long long*>(data) = info->dlpi_adds;
    return 1;
}

}  // namespace

int hookImports(const char* name, void* replacement, const char* library) {
    Search search{name, replacement, library, 0};
    ::dl_iterate_phdr(searchLibrary, &search);
    return search.changed;
}

unsigned long long loadedLibraryCount() {
    unsigned long long count = 0;
    ::dl_iterate_phdr(readCount, &count);
    return count;
}

}  // namespace kinetoscope::capture::inject
// NOLINTEND(performance-no-int-to-ptr)

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/capture/CuptiAbi.h"
#include "core/stream/CaptureFormat.h"

namespace kinetoscope::capture::inject {

/// The converter's interface to its surroundings.
struct ConverterServices {
    /// CUPTI's name of an API function, e.g. "cudaLaunchKernel_v7000"; null for none.
    std::function<const char*(std::uint32_t domain, std::uint32_t callback)> callbackName;
    /// Name of a thread of this process; may be empty.
    std::function<std::string(std::uint32_t thread)> threadName;
    /// Describes a GPU that CUPTI has not reported; false if it cannot.
    std::function<bool(std::uint32_t id, cupti::Device& device)> findDevice;
    /// More of a GPU as JSON members, each preceded by a comma; may be empty.
    std::function<std::string(const std::uint8_t (&uuid)[16])> deviceMembers;
    /// Whether kernels of this (demangled) name are wanted; empty: all.
    std::function<bool(const std::string& name)> wantsKernel;
};

/// Turns CUPTI's records into those of a capture file. Copies all that CUPTI owns. Not thread safe.
class ActivityConverter {
public:
    ActivityConverter(std::uint32_t cuptiVersion, ConverterServices services);

    /// `activity` is a whole record of a kind that this program enables; others are counted.
    void convert(const cupti::Activity* activity);

    void rangeStart(std::uint32_t thread, std::uint64_t time, std::uint64_t id,
                    std::string_view name);
    void rangeEnd(std::uint32_t thread, std::uint64_t time, std::uint64_t id);
    void mark(std::uint32_t thread, std::uint64_t time, std::string_view name);

    /// Payloads of the chunks to write, in this order; take…() empties them.
    [[nodiscard]] std::string takeNames() { return std::exchange(m_newNames, {}); }
    [[nodiscard]] std::vector<std::string> takeDevices() { return std::exchange(m_devices, {}); }
    [[nodiscard]] std::string takeRecords() { return std::exchange(m_records, {}); }
    [[nodiscard]] std::size_t pendingBytes() const { return m_records.size(); }

    [[nodiscard]] std::uint64_t records() const { return m_count; }
    [[nodiscard]] std::uint64_t unknownRecords() const { return m_unknown; }

private:
    struct KernelName {
        std::string mangled;
        std::uint32_t id = 0;
        bool wanted = true;
    };
    struct ApiFunction {
        std::uint32_t name = 0;
        bool launches = false;
    };

    void kernel(const cupti::Kernel& activity);
    void copy(const cupti::Memcpy& activity);
    void copyPeer(const cupti::MemcpyPeer& activity);
    void memset(const cupti::Memset& activity);
    void api(const cupti::Api& activity, bool driver);
    void synchronization(const cupti::Synchronization& activity);
    void cudaEvent(const cupti::CudaEvent& activity);
    void overhead(const cupti::Overhead& activity);
    void memory(const cupti::Memory& activity);
    void graph(const cupti::GraphTrace& activity);
    void external(const cupti::ExternalCorrelation& activity);
    void device(const cupti::Device& activity);

    template <class Record>
    void add(const Record& record);
    [[nodiscard]] std::uint32_t name(std::string_view text);
    [[nodiscard]] const KernelName& kernelName(const char* mangled);
    [[nodiscard]] const ApiFunction& function(std::uint32_t domain, std::uint32_t callback);
    void seeThread(std::uint32_t thread);
    void seeDevice(std::uint32_t device, std::uint32_t context);

    std::uint32_t m_version;
    ConverterServices m_services;
    std::string m_records;
    std::string m_newNames;
    std::vector<std::string> m_devices;
    std::unordered_map<std::string, std::uint32_t> m_names;
    std::unordered_map<const char*, KernelName> m_kernelNames;
    std::unordered_map<std::uint64_t, ApiFunction> m_functions;
    std::unordered_map<std::uint32_t, std::uint32_t> m_deviceOfContext;
    std::unordered_set<std::uint32_t> m_threads;
    std::unordered_set<std::uint32_t> m_knownDevices;
    std::uint32_t m_lastDevice = stream::format::kNone;
    std::uint32_t m_lastContext = stream::format::kNone;
    std::uint64_t m_count = 0;
    std::uint64_t m_unknown = 0;
};

/// The readable name of a kernel; names that are not mangled stay as they are.
[[nodiscard]] std::string demangled(const char* name);

}  // namespace kinetoscope::capture::inject

// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/ActivityConverter.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "core/capture/DeviceText.h"

namespace kinetoscope::capture::inject {

using namespace stream::format;

namespace {

constexpr std::uint32_t kThreadObject = 2;
constexpr std::uint32_t kMemoryReleased = 2;

std::int64_t ns(std::uint64_t time) {
    return static_cast<std::int64_t>(time);
}

std::array<std::uint32_t, 3> unsignedTriple(const std::int32_t (&values)[3]) {
    return {static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]),
            static_cast<std::uint32_t>(values[2])};
}

// Runtime functions carry the version of their signature: "cudaLaunchKernel_v7000".
std::string_view withoutVersion(std::string_view name) {
    const std::size_t at = name.rfind("_v");
    if (at == std::string_view::npos || at + 2 == name.size()) {
        return name;
    }
    const std::string_view digits = name.substr(at + 2);
    const bool all = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    // "cuMemAlloc_v2" is another function than "cuMemAlloc"; versions of releases are longer.
    return all && digits.size() >= 4 ? name.substr(0, at) : name;
}

bool startsGpuWork(std::string_view name) {
    static constexpr std::array<std::string_view, 8> kBegins{
        "cudaLaunch", "cudaGraphLaunch", "cudaMemcpy", "cudaMemset",
        "cuLaunch",   "cuGraphLaunch",   "cuMemcpy",   "cuMemset"};
    return std::ranges::any_of(kBegins,
                               [&](std::string_view begin) { return name.starts_with(begin); });
}

// What CUPTI's records and ours have in common, in one list: whatever both of a pair have is
// copied. A macro, as no function can name a field that its argument may lack.
#define COPY_FIELD(mine, theirs)                               \
    if constexpr (requires { to.mine, from.theirs; }) {        \
        to.mine = static_cast<decltype(to.mine)>(from.theirs); \
    }
template <class Record, class Activity>
Record commonFields(const Activity& from) {
    auto to = stream::format::makeRecord<Record>();
    COPY_FIELD(device, deviceId)
    COPY_FIELD(context, contextId)
    COPY_FIELD(stream, streamId)
    COPY_FIELD(correlation, correlationId)
    COPY_FIELD(graph, graphId)
    COPY_FIELD(graphNode, graphNodeId)
    COPY_FIELD(event, eventId)
    COPY_FIELD(thread, threadId)
    COPY_FIELD(start, start)
    COPY_FIELD(end, end)
    COPY_FIELD(bytes, bytes)
    return to;
}
#undef COPY_FIELD

// Copies between GPUs are recorded under another layout than all others.
template <class Activity>
stream::format::CopyRecord copyFields(const Activity& activity) {
    auto record = commonFields<stream::format::CopyRecord>(activity);
    record.kind = activity.copyKind;
    record.source = activity.sourceKind;
    record.target = activity.targetKind;
    record.asynchronous = activity.flags & 1U;
    return record;
}

template <class Record>
const Record& as(const cupti::Activity* activity) {
    return *reinterpret_cast<const Record*>(activity);
}

}  // namespace

std::string demangled(const char* name) {
    if (name == nullptr) {
        return "unknown";
    }
    int status = 0;
    char* readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 && readable != nullptr ? readable : name;
    std::free(readable);
    return result;
}

ActivityConverter::ActivityConverter(std::uint32_t cuptiVersion, ConverterServices services)
    : m_version(cuptiVersion), m_services(std::move(services)) {}

template <class Record>
void ActivityConverter::add(const Record& record) {
    m_records.append(reinterpret_cast<const char*>(&record), sizeof record);
    ++m_count;
}

std::uint32_t ActivityConverter::name(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    const auto [entry, isNew] =
        m_names.try_emplace(std::string(text), static_cast<std::uint32_t>(m_names.size() + 1));
    if (isNew) {
        const stream::format::NameHeader header{entry->second,
                                                static_cast<std::uint32_t>(text.size())};
        m_newNames.append(reinterpret_cast<const char*>(&header), sizeof header);
        m_newNames.append(text);
        m_newNames.resize(stream::format::padded(m_newNames.size()));
    }
    return entry->second;
}

const ActivityConverter::KernelName& ActivityConverter::kernelName(const char* mangled) {
    KernelName& known = m_kernelNames[mangled];
    // A pointer may name another kernel once its module was unloaded.
    if (known.id != 0 && mangled != nullptr && known.mangled == mangled) {
        return known;
    }
    const std::string readable = demangled(mangled);
    known.mangled = mangled == nullptr ? "" : mangled;
    known.id = name(readable);
    known.wanted = !m_services.wantsKernel || m_services.wantsKernel(readable);
    return known;
}

const ActivityConverter::ApiFunction& ActivityConverter::function(std::uint32_t domain,
                                                                  std::uint32_t callback) {
    ApiFunction& known = m_functions[std::uint64_t{domain} << 32U | callback];
    if (known.name == 0) {
        const char* text = m_services.callbackName(domain, callback);
        const std::string_view readable = text == nullptr ? "unknown" : withoutVersion(text);
        known.name = name(readable);
        known.launches = startsGpuWork(readable);
    }
    return known;
}

void ActivityConverter::seeThread(std::uint32_t thread) {
    if (!m_threads.insert(thread).second) {
        return;
    }
    const std::string text = m_services.threadName(thread);
    if (!text.empty()) {
        auto record = stream::format::makeRecord<stream::format::ThreadNameRecord>();
        record.thread = thread;
        record.name = name(text);
        add(record);
    }
}

void ActivityConverter::convert(const cupti::Activity* activity) {
    switch (activity->kind) {
        case cupti::Kind::ConcurrentKernel:
            return kernel(as<cupti::Kernel>(activity));
        case cupti::Kind::Memcpy:
            return copy(as<cupti::Memcpy>(activity));
        case cupti::Kind::MemcpyPeer:
            return copyPeer(as<cupti::MemcpyPeer>(activity));
        case cupti::Kind::Memset:
            return memset(as<cupti::Memset>(activity));
        case cupti::Kind::Runtime:
            return api(as<cupti::Api>(activity), false);
        case cupti::Kind::Driver:
            return api(as<cupti::Api>(activity), true);
        case cupti::Kind::Synchronization:
            return synchronization(as<cupti::Synchronization>(activity));
        case cupti::Kind::CudaEvent:
            return cudaEvent(as<cupti::CudaEvent>(activity));
        case cupti::Kind::Overhead:
            return overhead(as<cupti::Overhead>(activity));
        case cupti::Kind::Memory:
            return memory(as<cupti::Memory>(activity));
        case cupti::Kind::GraphTrace:
            return graph(as<cupti::GraphTrace>(activity));
        case cupti::Kind::ExternalCorrelation:
            return external(as<cupti::ExternalCorrelation>(activity));
        case cupti::Kind::Device:
            return device(as<cupti::Device>(activity));
        case cupti::Kind::Context: {
            const auto& context = as<cupti::Context>(activity);
            m_deviceOfContext[context.contextId] = context.deviceId;
            return;
        }
    }
    ++m_unknown;
}

// A CUPTI attached late reports nothing of the devices and contexts that existed before.
void ActivityConverter::seeDevice(std::uint32_t device, std::uint32_t context) {
    if (device == m_lastDevice && context == m_lastContext) {
        return;
    }
    m_lastDevice = device;
    m_lastContext = context;
    m_deviceOfContext.try_emplace(context, device);
    cupti::Device found;
    if (!m_knownDevices.contains(device) && m_services.findDevice &&
        m_services.findDevice(device, found)) {
        this->device(found);
    }
}

void ActivityConverter::kernel(const cupti::Kernel& activity) {
    seeDevice(activity.deviceId, activity.contextId);
    const KernelName& known = kernelName(activity.name);
    if (!known.wanted) {
        return;
    }
    auto record = commonFields<stream::format::KernelRecord>(activity);
    record.queued = ns(activity.queued);
    record.name = known.id;
    record.grid = unsignedTriple(activity.grid);
    record.block = unsignedTriple(activity.block);
    record.cluster = {activity.cluster[0], activity.cluster[1], activity.cluster[2]};
    record.staticShared = static_cast<std::uint32_t>(activity.staticShared);
    record.dynamicShared = static_cast<std::uint32_t>(activity.dynamicShared);
    record.localPerThread = activity.localPerThread;
    record.registers = activity.registersPerThread;
    add(record);
}

void ActivityConverter::copy(const cupti::Memcpy& activity) {
    seeDevice(activity.deviceId, activity.contextId);
    add(copyFields(activity));
}

void ActivityConverter::copyPeer(const cupti::MemcpyPeer& activity) {
    seeDevice(activity.deviceId, activity.contextId);
    seeDevice(activity.sourceDeviceId, activity.sourceContextId);
    seeDevice(activity.targetDeviceId, activity.targetContextId);
    auto record = copyFields(activity);
    record.sourceDevice = activity.sourceDeviceId;
    record.sourceContext = activity.sourceContextId;
    record.targetDevice = activity.targetDeviceId;
    record.targetContext = activity.targetContextId;
    add(record);
}

void ActivityConverter::memset(const cupti::Memset& activity) {
    seeDevice(activity.deviceId, activity.contextId);
    auto record = commonFields<stream::format::MemsetRecord>(activity);
    record.value = activity.value;
    record.memory = activity.memoryKind;
    record.asynchronous = activity.flags & 1U;
    add(record);
}

void ActivityConverter::api(const cupti::Api& activity, bool driver) {
    seeThread(activity.threadId);
    const ApiFunction& known =
        function(driver ? cupti::kDomainDriver : cupti::kDomainRuntime, activity.callback);
    auto record = commonFields<stream::format::ApiRecord>(activity);
    record.name = known.name;
    record.callback = activity.callback;
    record.result = activity.returnValue;
    record.driver = driver ? 1 : 0;
    record.launches = known.launches ? 1 : 0;
    add(record);
}

void ActivityConverter::synchronization(const cupti::Synchronization& activity) {
    auto record = commonFields<stream::format::SynchronizationRecord>(activity);
    record.kind = activity.type;
    const auto known = m_deviceOfContext.find(activity.contextId);
    record.device = known == m_deviceOfContext.end() ? stream::format::kNone : known->second;
    add(record);
}

void ActivityConverter::cudaEvent(const cupti::CudaEvent& activity) {
    auto record = commonFields<stream::format::CudaEventRecord>(activity);
    if (m_version >= cupti::kSinceEventTimes) {
        record.time = ns(activity.deviceTime);
    } else {
        record.device = 0;
    }
    add(record);
}

void ActivityConverter::overhead(const cupti::Overhead& activity) {
    auto record = commonFields<stream::format::OverheadRecord>(activity);
    record.thread = activity.objectKind == kThreadObject ? activity.object[1] : 0;
    record.kind = activity.overheadKind;
    add(record);
}

void ActivityConverter::memory(const cupti::Memory& activity) {
    auto record = commonFields<stream::format::MemoryRecord>(activity);
    record.time = ns(activity.timestamp);
    record.address = activity.address;
    record.memory = static_cast<std::uint16_t>(activity.memoryKind);
    record.release = activity.operation == kMemoryReleased ? 1 : 0;
    add(record);
}

void ActivityConverter::graph(const cupti::GraphTrace& activity) {
    seeDevice(activity.deviceId, activity.contextId);
    add(commonFields<stream::format::GraphRecord>(activity));
}

void ActivityConverter::external(const cupti::ExternalCorrelation& activity) {
    if (activity.externalKind != cupti::kExternalKindRange) {
        return;
    }
    auto record = commonFields<stream::format::ExternalIdRecord>(activity);
    record.id = activity.externalId;
    add(record);
}

void ActivityConverter::device(const cupti::Device& activity) {
    if (!m_knownDevices.insert(activity.id).second) {
        return;
    }
    m_devices.push_back(deviceText(
        activity, m_services.deviceMembers ? m_services.deviceMembers(activity.uuid) : ""));
}

void ActivityConverter::rangeStart(std::uint32_t thread, std::uint64_t time, std::uint64_t id,
                                   std::string_view text) {
    seeThread(thread);
    auto record = stream::format::makeRecord<stream::format::RangeStartRecord>();
    record.thread = thread;
    record.time = ns(time);
    record.id = id;
    record.name = name(text);
    add(record);
}

void ActivityConverter::rangeEnd(std::uint32_t thread, std::uint64_t time, std::uint64_t id) {
    auto record = stream::format::makeRecord<stream::format::RangeEndRecord>();
    record.thread = thread;
    record.time = ns(time);
    record.id = id;
    add(record);
}

void ActivityConverter::mark(std::uint32_t thread, std::uint64_t time, std::string_view text) {
    seeThread(thread);
    auto record = stream::format::makeRecord<stream::format::MarkRecord>();
    record.thread = thread;
    record.time = ns(time);
    record.name = name(text);
    add(record);
}

}  // namespace kinetoscope::capture::inject

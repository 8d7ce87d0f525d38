// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kinetoscope::stream::format {

/// The bytes of a capture file; docs/capture-format.md describes them. All numbers are little
/// endian, all times CLOCK_MONOTONIC nanoseconds of the recorded host.
inline constexpr std::string_view kMagic{"KSCAPT\x1a\x01", 8};
inline constexpr std::uint32_t kVersion = 1;

/// A writer makes no larger payloads; a reader takes a larger length for damage.
inline constexpr std::uint32_t kMaxPayloadBytes = 16U << 20;
/// Chunks begin at multiples of this.
inline constexpr std::size_t kAlignment = 8;

// Limits of the numbers in a capture; a reader treats more as damage.
inline constexpr std::int64_t kLatestTime = std::int64_t{1} << 60;      ///< ns, 36 years after boot
inline constexpr std::int64_t kLatestUnixTime = std::int64_t{1} << 62;  ///< ns, the year 2116
inline constexpr std::int64_t kFarthestTime = std::int64_t{1} << 61;    ///< ns from a trace's zero
inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 50;        ///< of one copy or memory
inline constexpr std::uint64_t kMaxRanges = std::uint64_t{1} << 62;     ///< ids of ranges
inline constexpr std::uint32_t kMaxDevices = 1024;                      ///< GPUs of a process
inline constexpr std::uint32_t kMaxInGrid = 0x7fffffff;  ///< blocks, of one dimension
inline constexpr std::uint32_t kMaxInBlock = 0xffff;     ///< threads or clusters, of one dimension
/// Any limit of a multiprocessor, and how many of them a GPU has.
inline constexpr std::int64_t kMaxOfMultiprocessor = std::int64_t{1} << 30;

constexpr std::uint32_t fourCharacters(const char (&text)[5]) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[0])) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[1])) << 8U |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[2])) << 16U |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[3])) << 24U;
}

enum class ChunkType : std::uint32_t {
    Header = format::fourCharacters("HEAD"),   ///< JSON, the first chunk
    Names = format::fourCharacters("NAME"),    ///< texts that records refer to by id
    Records = format::fourCharacters("RECS"),  ///< records, one after the other
    Device = format::fourCharacters("DEVI"),   ///< JSON, one GPU
    Note = format::fourCharacters("NOTE"),     ///< JSON, a message for the user
    Footer =
        format::fourCharacters("TAIL"),  ///< JSON, the last chunk of a recording that ended well
};

struct ChunkHeader {
    std::uint32_t type = 0;
    std::uint32_t size = 0;      ///< of the payload, without the padding behind it
    std::uint32_t sequence = 0;  ///< 0, 1, 2 …
    std::uint32_t checksum = 0;  ///< CRC-32C of the twelve bytes before and of the payload
};
static_assert(sizeof(format::ChunkHeader) == 16);

enum class RecordType : std::uint16_t {
    Kernel = 1,
    Copy = 2,
    Memset = 3,
    Api = 4,
    Synchronization = 5,
    CudaEvent = 6,
    Overhead = 7,
    Memory = 8,
    Graph = 9,
    ExternalId = 10,
    RangeStart = 11,
    RangeEnd = 12,
    Mark = 13,
    ThreadName = 14,
    Counter = 15,
};

/// Every record starts like this. Readers skip unknown types by their size; later versions may only
/// append fields, so that a reader takes what it knows of a longer record.
struct RecordHeader {
    std::uint16_t type = 0;
    std::uint16_t size = 0;  ///< whole record, a multiple of 8
};

/// "No such device, context or stream."
inline constexpr std::uint32_t kNone = 0xffffffff;

struct KernelRecord {
    static constexpr format::RecordType kType = format::RecordType::Kernel;
    format::RecordHeader header;
    std::uint32_t device = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t queued = 0;  ///< 0: not measured
    std::uint64_t graphNode = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t name = 0;
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> cluster{};
    std::uint32_t graph = 0;
    std::uint32_t staticShared = 0;
    std::uint32_t dynamicShared = 0;
    std::uint32_t localPerThread = 0;
    std::uint32_t registers = 0;
};

struct CopyRecord {
    static constexpr format::RecordType kType = format::RecordType::Copy;
    format::RecordHeader header;
    std::uint32_t device = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint64_t bytes = 0;
    std::uint64_t graphNode = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t graph = 0;
    std::uint32_t sourceDevice = format::kNone;  ///< copies between GPUs only, as the next three
    std::uint32_t sourceContext = format::kNone;
    std::uint32_t targetDevice = format::kNone;
    std::uint32_t targetContext = format::kNone;
    std::uint8_t kind = 0;    ///< CopyKind
    std::uint8_t source = 0;  ///< MemoryKind
    std::uint8_t target = 0;  ///< MemoryKind
    std::uint8_t asynchronous = 0;
    std::uint32_t padding = 0;
};

struct MemsetRecord {
    static constexpr format::RecordType kType = format::RecordType::Memset;
    format::RecordHeader header;
    std::uint32_t device = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint64_t bytes = 0;
    std::uint64_t graphNode = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t graph = 0;
    std::uint32_t value = 0;
    std::uint16_t memory = 0;  ///< MemoryKind
    std::uint16_t asynchronous = 0;
};

struct ApiRecord {
    static constexpr format::RecordType kType = format::RecordType::Api;
    format::RecordHeader header;
    std::uint32_t thread = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t name = 0;
    std::uint32_t callback = 0;  ///< CUPTI's number of the function
    std::uint32_t correlation = 0;
    std::uint32_t result = 0;
    std::uint16_t driver = 0;  ///< 1: driver API, 0: runtime API
    /// 1: the call can start GPU work, so a flow begins here.
    std::uint16_t launches = 0;
    std::uint32_t padding = 0;
};

struct SynchronizationRecord {
    static constexpr format::RecordType kType = format::RecordType::Synchronization;
    format::RecordHeader header;
    std::uint32_t kind = 0;  ///< SynchronizationKind
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = format::kNone;
    std::uint32_t correlation = 0;
    std::uint32_t event = 0;
    std::uint32_t device = format::kNone;  ///< kNone: not known from a context yet
    std::uint32_t padding = 0;
};

struct CudaEventRecord {
    static constexpr format::RecordType kType = format::RecordType::CudaEvent;
    format::RecordHeader header;
    std::uint32_t device = 0;
    std::int64_t time = 0;  ///< 0: device times were not recorded
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t event = 0;
};

struct OverheadRecord {
    static constexpr format::RecordType kType = format::RecordType::Overhead;
    format::RecordHeader header;
    std::uint32_t thread = 0;  ///< 0: not bound to a thread
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t kind = 0;  ///< OverheadKind
    std::uint32_t correlation = 0;
};

struct MemoryRecord {
    static constexpr format::RecordType kType = format::RecordType::Memory;
    format::RecordHeader header;
    std::uint32_t device = 0;
    std::int64_t time = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint16_t memory = 0;   ///< MemoryKind
    std::uint16_t release = 0;  ///< 1: freed, 0: allocated
};

/// A whole launch of a CUDA graph (level 0).
struct GraphRecord {
    static constexpr format::RecordType kType = format::RecordType::Graph;
    format::RecordHeader header;
    std::uint32_t device = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t graph = 0;
};

/// The range (RangeStartRecord::id) that an API call was made in.
struct ExternalIdRecord {
    static constexpr format::RecordType kType = format::RecordType::ExternalId;
    format::RecordHeader header;
    std::uint32_t correlation = 0;
    std::uint64_t id = 0;
};

struct RangeStartRecord {
    static constexpr format::RecordType kType = format::RecordType::RangeStart;
    format::RecordHeader header;
    std::uint32_t thread = 0;
    std::int64_t time = 0;
    std::uint64_t id = 0;  ///< unique in the file
    std::uint32_t name = 0;
    std::uint32_t padding = 0;
};

struct RangeEndRecord {
    static constexpr format::RecordType kType = format::RecordType::RangeEnd;
    format::RecordHeader header;
    std::uint32_t thread = 0;
    std::int64_t time = 0;
    std::uint64_t id = 0;
};

struct MarkRecord {
    static constexpr format::RecordType kType = format::RecordType::Mark;
    format::RecordHeader header;
    std::uint32_t thread = 0;
    std::int64_t time = 0;
    std::uint32_t name = 0;
    std::uint32_t padding = 0;
};

struct ThreadNameRecord {
    static constexpr format::RecordType kType = format::RecordType::ThreadName;
    format::RecordHeader header;
    std::uint32_t thread = 0;
    std::uint32_t name = 0;
    std::uint32_t padding = 0;
};

/// What something of a GPU measured from `time` until the next record of the same series.
struct CounterRecord {
    static constexpr format::RecordType kType = format::RecordType::Counter;
    format::RecordHeader header;
    std::uint32_t device = 0;
    std::int64_t time = 0;
    double value = 0.0;
    std::uint32_t name = 0;    ///< of the counter, with its unit: "DRAM bandwidth (GB/s)"
    std::uint32_t series = 0;  ///< of the values that share the counter's scale: "read"
};

static_assert(sizeof(format::KernelRecord) == 112 && sizeof(format::CopyRecord) == 80);
static_assert(sizeof(format::MemsetRecord) == 64 && sizeof(format::ApiRecord) == 48);
static_assert(sizeof(format::SynchronizationRecord) == 48 && sizeof(format::CudaEventRecord) == 32);
static_assert(sizeof(format::OverheadRecord) == 32 && sizeof(format::MemoryRecord) == 48);
static_assert(sizeof(format::GraphRecord) == 40 && sizeof(format::ExternalIdRecord) == 16);
static_assert(sizeof(format::RangeStartRecord) == 32 && sizeof(format::RangeEndRecord) == 24);
static_assert(sizeof(format::MarkRecord) == 24 && sizeof(format::ThreadNameRecord) == 16);
static_assert(sizeof(format::CounterRecord) == 32);

template <class Record>
[[nodiscard]] Record makeRecord() {
    Record record;
    record.header = {static_cast<std::uint16_t>(Record::kType),
                     static_cast<std::uint16_t>(sizeof(Record))};
    return record;
}

/// An entry of a Names chunk: this, the bytes of the text, zeros up to a multiple of 8.
struct NameHeader {
    std::uint32_t id = 0;  ///< counts up from 1; 0 is the empty text
    std::uint32_t size = 0;
};

[[nodiscard]] constexpr std::size_t padded(std::size_t size) {
    return (size + format::kAlignment - 1) / format::kAlignment * format::kAlignment;
}

}  // namespace kinetoscope::stream::format

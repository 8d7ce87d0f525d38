// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/Nvtx.h"

#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/capture/inject/Session.h"

namespace kinetoscope::capture::inject::nvtx {

namespace {

constexpr std::uint32_t kCallbacksTable = 1;
constexpr int kModuleCore = 1;
constexpr int kModuleCore2 = 5;
constexpr int kNoTracking = -2;

struct CallbacksTable {
    std::size_t size;
    int (*moduleFunctions)(int module, nvtx::Function*** table, unsigned* size);
};

// nvtxEventAttributes_t; its size tells how much of it the caller has.
struct EventAttributes {
    std::uint16_t version;
    std::uint16_t size;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType;
    std::int32_t reserved;
    std::uint64_t payload;
    std::int32_t messageType;
    const void* message;
};
static_assert(offsetof(EventAttributes, messageType) == 32 &&
              offsetof(EventAttributes, message) == 40 && sizeof(EventAttributes) == 48);

enum class Message : std::int32_t { Ascii = 1, Wide = 2, Registered = 3 };

// Out of memory, the name is left out.
std::string narrow(const wchar_t* text) noexcept {
    std::string result;
    try {
        for (; text != nullptr && *text != L'\0'; ++text) {
            result += *text > 0 && *text < 0x80 ? static_cast<char>(*text) : '?';
        }
    } catch (const std::bad_alloc&) {
        result.clear();
    }
    return result;
}

std::string_view plain(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

// Calls use(name) with the event's message, whatever its type.
template <class Use>
auto withMessage(const EventAttributes* attributes, Use&& use) {
    if (attributes == nullptr || attributes->size < sizeof(EventAttributes)) {
        return use(std::string_view());
    }
    if (Message{attributes->messageType} == Message::Wide) {
        const std::string text = narrow(static_cast<const wchar_t*>(attributes->message));
        return use(std::string_view(text));
    }
    const bool readable = Message{attributes->messageType} == Message::Ascii ||
                          Message{attributes->messageType} == Message::Registered;
    return use(readable ? plain(static_cast<const char*>(attributes->message))
                        : std::string_view());
}

int depthOrNone(int depth) {
    return depth < 0 ? kNoTracking : depth;
}

void mark(std::string_view name) {
    static_cast<void>(withSession(0, [=](Session& session) {
        session.mark(name);
        return 0;
    }));
}
std::uint64_t start(std::string_view name) {
    return withSession(std::uint64_t{0},
                       [=](Session& session) { return session.startRange(name); });
}
int push(std::string_view name, const void* domain = nullptr) {
    return withSession(kNoTracking, [=](Session& session) {
        return depthOrNone(session.pushRange(name, domain));
    });
}
int pop(const void* domain = nullptr) {
    return withSession(kNoTracking,
                       [=](Session& session) { return depthOrNone(session.popRange(domain)); });
}

void markEx(const EventAttributes* attributes) {
    withMessage(attributes, mark);
}
void markA(const char* name) {
    mark(plain(name));
}
void markW(const wchar_t* name) {
    mark(narrow(name));
}
std::uint64_t startEx(const EventAttributes* attributes) {
    return withMessage(attributes, start);
}
std::uint64_t startA(const char* name) {
    return start(plain(name));
}
std::uint64_t startW(const wchar_t* name) {
    return start(narrow(name));
}
void end(std::uint64_t id) {
    static_cast<void>(withSession(0, [=](Session& session) {
        session.endRange(id);
        return 0;
    }));
}
int pushEx(const EventAttributes* attributes) {
    return withMessage(attributes, [](std::string_view name) { return push(name); });
}
int pushA(const char* name) {
    return push(plain(name));
}
int pushW(const wchar_t* name) {
    return push(narrow(name));
}
int popPlain() {
    return pop();
}

void domainMarkEx(void*, const EventAttributes* attributes) {
    markEx(attributes);
}
std::uint64_t domainStartEx(void*, const EventAttributes* attributes) {
    return startEx(attributes);
}
void domainEnd(void*, std::uint64_t id) {
    end(id);
}
int domainPushEx(void* domain, const EventAttributes* attributes) {
    return withMessage(attributes, [=](std::string_view name) { return push(name, domain); });
}
int domainPop(void* domain) {
    return pop(domain);
}
// Handles live as long as the program: NVTX has no call that frees a registered text.
void* registerA(void*, const char* text) {
    return ::strdup(text == nullptr ? "" : text);
}
void* registerW(void*, const wchar_t* text) {
    return ::strdup(narrow(text).c_str());
}
void* domainCreateA(const char* name) {
    return ::strdup(name == nullptr ? "" : name);
}
void* domainCreateW(const wchar_t* name) {
    return ::strdup(narrow(name).c_str());
}

struct Entry {
    unsigned id;
    nvtx::Function function;
};

template <class F>
Entry entry(unsigned id, F* function) {
    return {id, reinterpret_cast<nvtx::Function>(function)};
}

template <std::size_t N>
bool fill(const CallbacksTable& callbacks, int module, const Entry (&entries)[N]) {
    nvtx::Function** table = nullptr;
    unsigned size = 0;
    if (callbacks.moduleFunctions(module, &table, &size) == 0 || table == nullptr) {
        return false;
    }
    for (const Entry& one : entries) {
        if (one.id < size && table[one.id] != nullptr) {
            *table[one.id] = one.function;
        }
    }
    return true;
}

}  // namespace

bool attach(nvtx::GetExportTable getExportTable) {
    const auto* callbacks = static_cast<const CallbacksTable*>(getExportTable(kCallbacksTable));
    if (callbacks == nullptr || callbacks->size < sizeof(CallbacksTable)) {
        return false;
    }
    const Entry core[] = {entry(1, markEx), entry(2, markA),  entry(3, markW),    entry(4, startEx),
                          entry(5, startA), entry(6, startW), entry(7, end),      entry(8, pushEx),
                          entry(9, pushA),  entry(10, pushW), entry(11, popPlain)};
    const Entry core2[] = {
        entry(1, domainMarkEx), entry(2, domainStartEx),  entry(3, domainEnd),
        entry(4, domainPushEx), entry(5, domainPop),      entry(9, registerA),
        entry(10, registerW),   entry(11, domainCreateA), entry(12, domainCreateW)};
    const bool hasCore = fill(*callbacks, kModuleCore, core);
    const bool hasCore2 = fill(*callbacks, kModuleCore2, core2);
    return hasCore || hasCore2;
}

}  // namespace kinetoscope::capture::inject::nvtx

// SPDX-License-Identifier: Apache-2.0
// cuda12 N: N launches of a tiny kernel, a copy each way and a memset through CUDA 12's runtime,
// which is opened while the program runs, so that no compiler of CUDA 12 is needed. Exit 1 when a
// call fails.
#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

const char* const kTiny = R"(
.version 8.0
.target sm_70
.address_size 64
.visible .entry tiny(.param .u64 data) {
    .reg .b64 %rd<4>;
    .reg .b32 %r<2>;
    .reg .f32 %f<2>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3];
    add.f32 %f1, %f1, 0f3F800000;
    st.global.f32 [%rd3], %f1;
    ret;
}
)";

struct Dim3 {
    unsigned x, y, z;
};

template <class... Arguments>
void call(void* runtime, const char* name, Arguments... arguments) {
    using Function = int (*)(Arguments...);
    const auto function = reinterpret_cast<Function>(dlsym(runtime, name));
    const int error = function == nullptr ? -1 : function(arguments...);
    if (error != 0) {
        std::fprintf(stderr, "cuda12: %s fails with %d\n", name, error);
        std::exit(1);
    }
}

}  // namespace

int main(int, char** arguments) {
    void* const runtime = dlopen("libcudart.so.12", RTLD_NOW | RTLD_GLOBAL);
    if (runtime == nullptr) {
        std::fprintf(stderr, "cuda12: %s\n", dlerror());
        return 1;
    }
    constexpr std::size_t kBytes = 1 << 20;
    void* data = nullptr;
    call(runtime, "cudaMalloc", &data, kBytes);
    void* library = nullptr;
    call(runtime, "cudaLibraryLoadData", &library, static_cast<const void*>(kTiny),
         static_cast<void*>(nullptr), static_cast<void*>(nullptr), 0U, static_cast<void*>(nullptr),
         static_cast<void*>(nullptr), 0U);
    void* kernel = nullptr;
    call(runtime, "cudaLibraryGetKernel", &kernel, library, "tiny");
    std::array<void*, 1> values{&data};
    std::vector<char> host(kBytes);
    call(runtime, "cudaMemcpy", data, static_cast<void*>(host.data()), kBytes, 1);
    call(runtime, "cudaMemset", data, 0, kBytes);
    const int count = std::atoi(arguments[1]);
    for (int i = 0; i < count; ++i) {
        call(runtime, "cudaLaunchKernel", kernel, Dim3{1, 1, 1}, Dim3{32, 1, 1}, values.data(),
             std::size_t{0}, static_cast<void*>(nullptr));
    }
    call(runtime, "cudaMemcpy", static_cast<void*>(host.data()), data, kBytes, 2);
    call(runtime, "cudaDeviceSynchronize");
    float first = 0;
    std::memcpy(&first, host.data(), sizeof first);
    std::printf("sum %g\n", static_cast<double>(first));
    return first == static_cast<float>(count) ? 0 : 1;
}

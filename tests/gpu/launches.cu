// SPDX-License-Identifier: Apache-2.0
// launches MODE N ROUNDS: N launches of a tiny kernel, ROUNDS times; prints µs per launch of each
// round and, last, the monotonic time in ns when the last kernel had ended.
// Modes: loop, streams (four of them), graph (N / 20 launches of a graph of 20), copies, driver
// (copies and memsets by the driver API), reset (ends with cudaDeviceReset).
#include <cuda.h>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

__global__ void tiny(float* data) {
    data[threadIdx.x] += 1.0f;
}

static long long now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int, char** arguments) {
    const char* mode = arguments[1];
    const int count = std::atoi(arguments[2]);
    const int rounds = std::atoi(arguments[3]);
    float* data = nullptr;
    cudaMalloc(&data, 1 << 20);
    std::vector<cudaStream_t> streams(4);
    for (auto& stream : streams) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
    tiny<<<1, 32, 0, streams[0]>>>(data);
    cudaDeviceSynchronize();
    cudaGraphExec_t graph = nullptr;
    if (std::strcmp(mode, "graph") == 0) {
        cudaGraph_t captured = nullptr;
        cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
        for (int i = 0; i < 20; ++i) {
            tiny<<<1, 32, 0, streams[0]>>>(data);
        }
        cudaStreamEndCapture(streams[0], &captured);
        cudaGraphInstantiate(&graph, captured, 0);
    }
    if (std::strcmp(mode, "fork") == 0) {
        const pid_t child = fork();
        if (child == 0) {
            std::exit(3);
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("child %d\n", WEXITSTATUS(status));
    }
    for (int round = 0; round < rounds; ++round) {
        const long long start = now();
        for (int i = 0; i < count; ++i) {
            if (graph != nullptr) {
                if (i % 20 == 0) {
                    cudaGraphLaunch(graph, streams[0]);
                }
            } else {
                const int lane = std::strcmp(mode, "streams") == 0 ? i % 4 : 0;
                tiny<<<1, 32, 0, streams[lane]>>>(data);
            }
        }
        cudaDeviceSynchronize();
        std::printf("us %.4f\n", static_cast<double>(now() - start) / 1000.0 / count);
    }
    if (std::strcmp(mode, "copies") == 0) {
        std::vector<float> host(1 << 18);
        for (int i = 0; i < 10; ++i) {
            cudaMemcpy(data, host.data(), 1 << 20, cudaMemcpyHostToDevice);
            cudaMemset(data, 0, 1 << 20);
            cudaMemcpy(host.data(), data, 1 << 20, cudaMemcpyDeviceToHost);
        }
    }
    std::printf("last %lld\n", now());
    if (std::strcmp(mode, "driver") == 0) {
        std::vector<char> host(4096);
        const auto address = reinterpret_cast<CUdeviceptr>(data);
        for (int i = 0; i < count; ++i) {
            cuMemcpyHtoDAsync(address, host.data(), host.size(), streams[0]);
            cuMemsetD8Async(address, 0, host.size(), streams[0]);
            cuMemcpyDtoHAsync(host.data(), address, host.size(), streams[0]);
        }
        cudaDeviceSynchronize();
    }
    if (std::strcmp(mode, "reset") == 0) {
        return cudaDeviceReset() == cudaSuccess ? 0 : 1;
    }
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// The only place that knows how PyTorch 1.13 and 2.x differ. Precompiled: everything of PyTorch
// that kscope-torch uses comes through here.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/python/update_graph_executor_opt.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/jit.h>
#include <torch/script.h>
#include <torch/version.h>

// Headers of CUDA were found beside a PyTorch that has it.
#ifdef KINETOSCOPE_TORCH_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#endif

// Packages that Inductor compiles ahead of time open since 2.6.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 6)
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#define KINETOSCOPE_TORCH_PACKAGES 1
#endif

namespace kinetoscope::bench::libtorch {

#ifdef KINETOSCOPE_TORCH_PACKAGES
using TorchPackage = torch::inductor::AOTIModelPackageLoader;

/// Opens a package. Throws what PyTorch throws.
[[nodiscard]] inline std::shared_ptr<TorchPackage> openPackage(const std::string& path) {
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 7
    // Several threads would need events that a CUDA graph cannot hold.
    return std::make_shared<TorchPackage>(path, "model", /*run_single_threaded=*/true);
#else
    return std::make_shared<TorchPackage>(path);
#endif
}
#endif

}  // namespace kinetoscope::bench::libtorch

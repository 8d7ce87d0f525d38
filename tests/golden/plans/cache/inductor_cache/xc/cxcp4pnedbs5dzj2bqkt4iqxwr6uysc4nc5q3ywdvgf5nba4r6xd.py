
import triton
import triton.language as tl

from torch._inductor.runtime import triton_helpers, triton_heuristics
from torch._inductor.runtime.triton_helpers import libdevice, math as tl_math
from torch._inductor.runtime.hints import AutotuneHint, ReductionHint, TileHint, DeviceProperties

from torch._dynamo.testing import rand_strided
from torch._C import _cuda_getCurrentRawStream as get_raw_stream
import torch

@triton_heuristics.foreach(
    filename=__file__,
    triton_meta={'signature': {'in_ptr0': '*fp32', 'in_ptr1': '*fp32', 'in_ptr2': '*fp32', 'in_ptr3': '*fp32', 'in_ptr4': '*fp32', 'in_ptr5': '*fp32', 'in_ptr6': '*fp32', 'in_ptr7': '*fp32', 'out_ptr0': '*fp32', 'out_ptr1': '*fp32', 'out_ptr2': '*fp32', 'out_ptr3': '*fp32', 'out_ptr4': '*fp32', 'out_ptr5': '*fp32', 'out_ptr6': '*fp32', 'out_ptr7': '*fp32'}, 'device': DeviceProperties(type='cuda', index=0, multi_processor_count=132, cc=90, major=9, regs_per_multiprocessor=65536, max_threads_per_multi_processor=2048, max_threads_per_block=1024, warp_size=32), 'constants': {}, 'enable_fp_fusion': True, 'configs': [{(0,): [['tt.divisibility', 16]], (1,): [['tt.divisibility', 16]], (2,): [['tt.divisibility', 16]], (3,): [['tt.divisibility', 16]], (4,): [['tt.divisibility', 16]], (5,): [['tt.divisibility', 16]], (6,): [['tt.divisibility', 16]], (7,): [['tt.divisibility', 16]], (8,): [['tt.divisibility', 16]], (9,): [['tt.divisibility', 16]], (10,): [['tt.divisibility', 16]], (11,): [['tt.divisibility', 16]], (12,): [['tt.divisibility', 16]], (13,): [['tt.divisibility', 16]], (14,): [['tt.divisibility', 16]], (15,): [['tt.divisibility', 16]]}]},
    inductor_meta={'grid_type': 'SequentialComboKernelGrid', 'combo_grid_meta': {'num_kernels': 8, 'min_blocks': 0, 'default_config': {'XBLOCK': 1024}, 'no_x_dim_0': False, 'xnumel_0': 1000, 'no_x_dim_1': False, 'xnumel_1': 2000, 'no_x_dim_2': False, 'xnumel_2': 3000, 'no_x_dim_3': False, 'xnumel_3': 4000, 'no_x_dim_4': False, 'xnumel_4': 5000, 'no_x_dim_5': False, 'xnumel_5': 6000, 'no_x_dim_6': False, 'xnumel_6': 7000, 'no_x_dim_7': False, 'xnumel_7': 8000}, 'kernel_name': 'triton_for_fused_0', 'mutated_arg_names': [], 'backend_hash': '91D1D1166449D9E2EB66EB9770C9E2C3B0FEB787341F27FEB4D3F0338DA50336', 'assert_indirect_indexing': True, 'autotune_local_cache': True, 'autotune_pointwise': True, 'autotune_remote_cache': None, 'force_disable_caches': False, 'dynamic_scale_rblock': True, 'max_autotune': False, 'max_autotune_pointwise': False, 'min_split_scan_rblock': 256, 'spill_threshold': 16, 'store_cubin': False, 'deterministic': False, 'force_filter_reduction_configs': False, 'mix_order_reduction_allow_multi_stages': False, 'are_deterministic_algorithms_enabled': False},
)
@triton.jit
def triton_for_fused_0(in_ptr0, in_ptr1, in_ptr2, in_ptr3, in_ptr4, in_ptr5, in_ptr6, in_ptr7, out_ptr0, out_ptr1, out_ptr2, out_ptr3, out_ptr4, out_ptr5, out_ptr6, out_ptr7):
    pid = tl.program_id(0)
    XBLOCK: tl.constexpr = 1024
    num_xblocks_0 = tl.cdiv(1000, XBLOCK)
    num_xblocks_1 = num_xblocks_0 + tl.cdiv(2000, XBLOCK)
    num_xblocks_2 = num_xblocks_1 + tl.cdiv(3000, XBLOCK)
    num_xblocks_3 = num_xblocks_2 + tl.cdiv(4000, XBLOCK)
    num_xblocks_4 = num_xblocks_3 + tl.cdiv(5000, XBLOCK)
    num_xblocks_5 = num_xblocks_4 + tl.cdiv(6000, XBLOCK)
    num_xblocks_6 = num_xblocks_5 + tl.cdiv(7000, XBLOCK)
    num_xblocks_7 = num_xblocks_6 + tl.cdiv(8000, XBLOCK)
    if pid < num_xblocks_0:
        pid_offset = pid
        xnumel = 1000
        r0_numel = 1
        xoffset = pid_offset * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        x0 = xindex
        tmp0 = tl.load(in_ptr0 + (x0), xmask)
        tmp1 = tl.full([1], 1.0, tl.float32)
        tmp2 = tmp0 + tmp1
        tl.store(out_ptr0 + (x0), tmp2, xmask)
    elif pid < num_xblocks_1:
        pid_offset = pid - num_xblocks_0
        xnumel = 2000
        r0_numel = 1
        xoffset = pid_offset * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        x1 = xindex
        tmp3 = tl.load(in_ptr1 + (x1), xmask)
        tmp4 = tl.full([1], 1.0, tl.float32)
        tmp5 = tmp3 + tmp4
        tl.store(out_ptr1 + (x1), tmp5, xmask)
    elif pid < num_xblocks_2:
        pid_offset = pid - num_xblocks_1
        xnumel = 3000
        r0_numel = 1
        xoffset = pid_offset * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        x2 = xindex
        tmp6 = tl.load(in_ptr2 + (x2), xmask)
        tmp7 = tl.full([1], 1.0, tl.float32)
        tmp8 = tmp6 + tmp7
        tl.store(out_ptr2 + (x2), tmp8, xmask)
    elif pid < num_xblocks_3:
        pid_offset = pid - num_xblocks_2
        xnumel = 4000
        r0_numel = 1
        xoffset = pid_offset * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        x3 = xindex
        tmp9 = tl.load(in_ptr3 + (x3), xmask)
        tmp10 = tl.full([1], 1.0, tl.float32)
        tmp11 = tmp9 + tmp10
        tl.store(out_ptr3 + (x3), tmp11, xmask)
    elif pid < num_xblocks_4:
        pid_offset = pid - num_xblocks_3
        xnumel = 5000
        r0_numel = 1
        xoffset = pid_offset * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        x4 = xindex
        tmp12 = tl.load(in_ptr4 + (x4), xmask)
        tmp13 = tl.full([1], 1.0, tl.float32)
        tmp14 = tmp12 + tmp13
        tl.store(out_ptr4 + (x4), tmp14, xmask)
    elif pid < num_xblocks_5:
        pid_offset = pid - num_xblocks_4
        xnumel = 6000
        r0_numel = 1
        xoffset = pid_offset * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        x5 = xindex
        tmp15 = tl.load(in_ptr5 + (x5), xmask)
        tmp16 = tl.full([1], 1.0, tl.float32)
        tmp17 = tmp15 + tmp16
        tl.store(out_ptr5 + (x5), tmp17, xmask)
    elif pid < num_xblocks_6:
        pid_offset = pid - num_xblocks_5
        xnumel = 7000
        r0_numel = 1
        xoffset = pid_offset * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        x6 = xindex
        tmp18 = tl.load(in_ptr6 + (x6), xmask)
        tmp19 = tl.full([1], 1.0, tl.float32)
        tmp20 = tmp18 + tmp19
        tl.store(out_ptr6 + (x6), tmp20, xmask)
    elif pid < num_xblocks_7:
        pid_offset = pid - num_xblocks_6
        xnumel = 8000
        r0_numel = 1
        xoffset = pid_offset * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        x7 = xindex
        tmp21 = tl.load(in_ptr7 + (x7), xmask)
        tmp22 = tl.full([1], 1.0, tl.float32)
        tmp23 = tmp21 + tmp22
        tl.store(out_ptr7 + (x7), tmp23, xmask)
    else:
        pass


def get_args():
    arg_0 = rand_strided((1000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_1 = rand_strided((2000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_2 = rand_strided((3000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_3 = rand_strided((4000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_4 = rand_strided((5000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_5 = rand_strided((6000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_6 = rand_strided((7000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_7 = rand_strided((8000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_8 = rand_strided((1000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_9 = rand_strided((2000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_10 = rand_strided((3000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_11 = rand_strided((4000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_12 = rand_strided((5000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_13 = rand_strided((6000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_14 = rand_strided((7000,), (1,), device='cuda:0', dtype=torch.float32)
    arg_15 = rand_strided((8000,), (1,), device='cuda:0', dtype=torch.float32)
    return arg_0, arg_1, arg_2, arg_3, arg_4, arg_5, arg_6, arg_7, arg_8, arg_9, arg_10, arg_11, arg_12, arg_13, arg_14, arg_15,


def call(args):
    with torch.cuda._DeviceGuard(0):
        torch.cuda.set_device(0)
        stream0 = get_raw_stream(0)
        triton_for_fused_0.run(*args, stream=stream0)


def benchmark_all_configs(args):
    with torch.cuda._DeviceGuard(0):
        torch.cuda.set_device(0)
        return triton_for_fused_0.benchmark_all_configs(*args)


if __name__ == '__main__':
    from torch._inductor.runtime.benchmarking import benchmarker

    args = get_args()
    ms = benchmarker.benchmark(call, fn_args=(args,), device=cuda,rep=40)
    num_gb = 0
    gb_per_s = num_gb / (ms / 1e3)
    print(f"{ms:.3f}ms    {num_gb:.3f}GB    {gb_per_s:.2f}GB/s")

"""Chapter 10. Reliability: how often a run stops, how often to save it, and what share of the time is left."""

from sympy import ceiling, exp, sqrt

from roofline_sym.library import check, equation
from roofline_sym.notation import one_device, seconds_per_hour

LLAMA3 = {"n_devices": 16384, "observation_time": "54 day", "interruptions": 419}
LLAMA3_CLUSTER = {
    "cluster_mtbf": "11135.08 s", "checkpoint_bytes": "5.6819 TB", "storage_bandwidth": "2 TB/s",
    "restart_time": "600 s",
}
BLOOM = {"checkpoint_time": "40 s", "cluster_mtbf": "7 day"}


# -- how often it stops ----------------------------------------------------------------------------------------------


@equation(r"M_\text{seen}", "device*hour", status="definition", source="kokolis2024, §III",
          because="A mean time between interruptions is defined by this count: hours that all devices ran, over "
                  "interruptions.")
@check("Llama 3", LLAMA3, expect="50677 device·hour", within=1e-4, source="llama3, §3.3.4")
def observed_device_mtbf(n_devices, observation_time, interruptions):
    """Device-hours per interruption, from a count."""
    return n_devices * observation_time / interruptions


@equation("M", "s", status="derived", source="daly2006, §2", assumes=["memoryless_failures"])
@check("Llama 3", n_devices=16384, device_mtbf="50677 device·hour", expect="3.093 hour", within=1e-3,
       published="3 hour", source="llama3, §3.3.4")
@check("131,072 devices in nodes of 8, 6.5 failures in 1000 node-days", n_devices=131072,
       device_mtbf="29538.46 device·hour", expect="0.2254 hour", within=1e-3, published="0.23 hour",
       source="kokolis2024, §III")
def cluster_mtbf(device_mtbf, n_devices):
    """Mean time between interruptions of a run: any device stops all of them."""
    return seconds_per_hour * device_mtbf / n_devices


@equation(r"\mu_\text{int}", "", status="definition", source="daly2006, §2", assumes=["memoryless_failures"],
          because="A mean time between interruptions is defined as time over how many there are on average.")
@check("Llama 3, 54 days", time_to_train="54 day", cluster_mtbf="11135.08 s", expect="419", within=1e-4,
       source="llama3, §3.3.4")
def expected_interruptions(time_to_train, cluster_mtbf):
    """Interruptions to expect while a run works."""
    return time_to_train / cluster_mtbf


# -- how often to save -----------------------------------------------------------------------------------------------


@equation(r"\delta", "s", status="definition", source="llama3, §3.3.1",
          because="The bandwidth of storage is defined by this: bytes that it takes in, over the time.")
@check("Llama 3 405B", LLAMA3_CLUSTER, expect="2.841 s", within=1e-4)
def checkpoint_time(checkpoint_bytes, storage_bandwidth):
    """Time to write a checkpoint, while the run waits."""
    return checkpoint_bytes / storage_bandwidth


@equation(r"h_1", "", status="derived", source="young1974, eq. 1", assumes=["memoryless_failures"])
@check("BLOOM, three hours", BLOOM, checkpoint_interval="2.92 hour", restart_time="0 s", expect="0.0125", within=1e-2)
def first_order_overhead(checkpoint_time, checkpoint_interval, restart_time, cluster_mtbf):
    """Time lost per time of work: each interval's checkpoint, and per interruption half an interval and a restart."""
    return checkpoint_time / checkpoint_interval + (checkpoint_interval / 2 + restart_time) / cluster_mtbf


@equation(r"\tau_1", "s", status="derived", source="young1974, eq. 2", assumes=["memoryless_failures"])
@check("BLOOM", BLOOM, expect="1.932 hour", within=1e-3, published="2.92 hour", source="bloom2022, chronicles",
       note="the team chose by how much work it was willing to lose")
@check("Llama 3 405B", LLAMA3_CLUSTER, expect="251.5 s", within=1e-3)
def young_interval(checkpoint_time, cluster_mtbf):
    """The interval that loses least, first order."""
    return sqrt(2 * checkpoint_time * cluster_mtbf)


@equation(r"\tau_2", "s", status="derived", source="daly2006, eq. 37", assumes=["memoryless_failures"])
@check("BLOOM", BLOOM, expect="1.924 hour", within=1e-3)
def daly_interval(checkpoint_time, cluster_mtbf):
    """The interval that loses least, to higher order; for checkpoints that take much less than the mean time."""
    root = sqrt(checkpoint_time / (2 * cluster_mtbf))
    series = 1 + root / 3 + checkpoint_time / (18 * cluster_mtbf)
    return sqrt(2 * checkpoint_time * cluster_mtbf) * series - checkpoint_time


# -- what is left ----------------------------------------------------------------------------------------------------


@equation("G", "", status="derived", source="daly2006, eq. 20", assumes=["memoryless_failures"])
@check("Llama 3 405B, saved every 251 s", LLAMA3_CLUSTER, checkpoint_interval="251.5 s", expect="0.9261", within=1e-3,
       published="0.9", source="llama3, §3.3.4", note="published as more than nine tenths")
def goodput(checkpoint_interval, restart_time, checkpoint_time, cluster_mtbf):
    """Share of the time that ends up as work: an interval over the mean time until it, and its checkpoint, are done."""
    cycle = (checkpoint_interval + checkpoint_time) / cluster_mtbf
    return (
        checkpoint_interval
        / cluster_mtbf
        * exp(-restart_time / cluster_mtbf - cycle)
        / (1 - exp(-cycle))
    )


@equation(r"T_\text{wall}", "s", status="definition", source="daly2006, §2", assumes=["memoryless_failures"],
          because="Goodput is defined as this ratio: the time of work over the time that passes.")
@check("54 days of work at nine tenths", time_to_train="54 day", goodput="0.9", expect="60 day", within=0)
def wall_clock_time(time_to_train, goodput):
    """Time of a run with its interruptions, checkpoints and restarts."""
    return time_to_train / goodput


# -- spares ----------------------------------------------------------------------------------------------------------


@equation(r"n_\text{broken}", "device", status="derived", source="kokolis2024, §III", assumes=["memoryless_failures"])
@check("16,384 devices, a day to repair", n_devices=16384, device_mtbf="50677 device·hour", repair_time="24 hour",
       expect="7.759 device", within=1e-3)
def broken_devices(n_devices, device_mtbf, repair_time):
    """Devices under repair at any time, on average."""
    return one_device * n_devices * repair_time / device_mtbf


@equation(r"n_\text{spare}", "device", status="derived", source="kokolis2024, §III", assumes=["memoryless_failures"])
@check("7.76 broken, three standard deviations", broken_devices="7.759 device", spare_margin=3, expect="17 device",
       within=0)
def hot_spares(broken_devices, spare_margin):
    """Devices to keep ready: those broken on average, and a margin, as their number has its mean for variance."""
    count = broken_devices / one_device
    return one_device * ceiling(count + spare_margin * sqrt(count))

package dev.edl.operators.crd.et;

import dev.edl.internal.text.ResourceQuantity;
import dev.edl.spec.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Number of processes of a TrainingJob's worker, from the limits of its first container. {@code slotsPerWorker} has 32
 * bits, so the number is at most 2147483647.
 */
final class WorkerSlots {
    private static final String OPERATORS = "nvidia.com/gpu";

    private WorkerSlots() {}

    /** Returns the number of processes that EDL starts on the worker: one for each device, or one without devices. */
    static long ofDevices(@Nullable Object worker) {
        long devices = limits(worker).entrySet().stream()
                .filter(limit -> Resources.isDevice(String.valueOf(limit.getKey())))
                .mapToLong(limit -> whole(limit.getValue()))
                .sum();
        return Math.max(1, Math.min(devices, Integer.MAX_VALUE));
    }

    /**
     * Returns the number of processes that et-operator starts if the resource sets none: the limit of NVIDIA GPUs, even
     * if it is 0, or one without such a limit.
     */
    static long byOperator(@Nullable Object worker) {
        Object limit = limits(worker).get(OPERATORS);
        return limit == null ? 1 : whole(limit);
    }

    private static long whole(@Nullable Object amount) {
        return ResourceQuantity.number(String.valueOf(amount))
                .map(number -> number.setScale(0, RoundingMode.CEILING)
                        .min(BigDecimal.valueOf(Integer.MAX_VALUE))
                        .longValue())
                .orElse(0L);
    }

    private static Map<?, ?> limits(@Nullable Object worker) {
        Object containers = map(map(map(worker).get("template")).get("spec")).get("containers");
        return containers instanceof List<?> list && !list.isEmpty()
                ? map(map(map(list.get(0)).get("resources")).get("limits"))
                : Map.of();
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }
}

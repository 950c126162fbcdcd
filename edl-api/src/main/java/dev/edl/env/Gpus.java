package dev.edl.env;

import dev.edl.Resources;
import dev.edl.plan.RolePlan;
import java.math.BigDecimal;

/** How many processes a replica is for: one for each of its GPUs. */
final class Gpus {
    private static final String NVIDIA = "nvidia.com/gpu";

    private Gpus() {}

    /** The limit of NVIDIA GPUs, 0 when there is none. */
    static int of(RolePlan role) {
        Resources limits = role.template().effectiveLimits();
        return limits.value(NVIDIA).min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
    }

    /** One for each GPU, else one. */
    static int processes(RolePlan role) {
        return Math.max(1, of(role));
    }
}

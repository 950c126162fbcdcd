package dev.edl.operators.crd.mxjob;

import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.spec.RoleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rules by which the MxJob operator validates a resource, with that operator's messages. */
final class MxJobRules {
    static final String KIND = "MxJob";
    static final List<RoleType> TYPES = List.of(RoleType.SCHEDULER, RoleType.SERVER, RoleType.WORKER);
    static final int PORT = 9091;
    static final String CONTAINER = "mxnet";

    private MxJobRules() {}

    /** Returns the operator's requirements on pod templates for a job mode, {@code local} or {@code dist}. */
    static PodTemplateConventions pod(String mode) {
        return new PodTemplateConventions(
                CONTAINER,
                false,
                Optional.empty(),
                true,
                OperatorEnv.MXJOB_V1BETA1.sets(Map.of("jobMode", mode), RoleType.WORKER));
    }

    /**
     * Checks that a job of mode {@code local} has one worker only, and a job of mode {@code dist} has all three roles.
     * Adds a mistake to the report otherwise.
     */
    static void check(String mode, Map<RoleType, Integer> replicas, ConversionReport report) {
        switch (mode) {
            case "local" -> {
                if (replicas.keySet().stream().anyMatch(type -> type != RoleType.WORKER)) {
                    report.mistake("job mode is local, but its replicas set have replicas type other than worker");
                }
                if (replicas.getOrDefault(RoleType.WORKER, 1) > 1) {
                    report.mistake("job mode is local, but it has more than 1 worker");
                }
            }
            case "dist" ->
                TYPES.stream()
                        .filter(type -> !replicas.containsKey(type))
                        .forEach(type -> report.mistake("dist job mode without replica type " + type.name()));
            default -> report.mistake("unkonw job mode " + mode);
        }
    }
}

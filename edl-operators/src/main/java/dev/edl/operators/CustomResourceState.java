package dev.edl.operators;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * State of a job as read from its custom resource.
 *
 * @param uid uid of the resource
 * @param created creation time of the resource
 * @param taken whether the operator has written a status into the resource
 * @param status phase and message of the job; PENDING with the mistake as message when the resource's status cannot be
 *     read
 * @param legible whether the resource's status can be read
 * @param refusals the operator's messages on scaling requests that failed
 * @param wanted number of replicas of each role, from the resource, or from the plan if the operator cannot scale the
 *     role
 * @param ended time of the job's end; empty unless the operator has written {@code completionTime}
 */
record CustomResourceState(
        String uid,
        Instant created,
        boolean taken,
        ResourceStatus status,
        boolean legible,
        List<String> refusals,
        Map<RoleType, Integer> wanted,
        Optional<Instant> ended) {
    CustomResourceState {
        refusals = List.copyOf(refusals);
        wanted = Map.copyOf(wanted);
    }

    static CustomResourceState of(CustomResourceKind resource, JobPlan plan, GenericKubernetesResource found) {
        CustomObject object = CustomObject.of(found);
        Map<?, ?> status = object.fields().get("status") instanceof Map<?, ?> map ? map : Map.of();
        Map<RoleType, Integer> wanted = new EnumMap<>(RoleType.class);
        for (RolePlan role : plan.roles()) {
            wanted.put(
                    role.type(), resource.resize().wanted(object, role.type()).orElse(role.replicas()));
        }
        ResourceStatus read;
        boolean legible = true;
        try {
            read = resource.status(object);
        } catch (InvalidResourceException e) {
            legible = false;
            read = new ResourceStatus(JobPhase.PENDING, String.valueOf(e.getMessage()));
        }
        return new CustomResourceState(
                found.getMetadata().getUid(),
                time(found.getMetadata().getCreationTimestamp()).orElse(Instant.EPOCH),
                !status.isEmpty(),
                read,
                legible,
                refusals(status),
                wanted,
                time(status.get("completionTime")));
    }

    /**
     * Returns the messages of et-operator's true {@code ScaleFailed} conditions, which are about scaling requests and
     * not about the job's phase.
     */
    private static List<String> refusals(Map<?, ?> status) {
        return status.get("conditions") instanceof List<?> conditions
                ? conditions.stream()
                        .filter(Map.class::isInstance)
                        .map(condition -> (Map<?, ?>) condition)
                        .filter(condition ->
                                "ScaleFailed".equals(condition.get("type")) && "True".equals(condition.get("status")))
                        .map(condition -> String.valueOf(condition.get("message")))
                        .toList()
                : List.of();
    }

    private static Optional<Instant> time(@Nullable Object stamp) {
        try {
            return stamp instanceof String text ? Optional.of(Instant.parse(text)) : Optional.empty();
        } catch (DateTimeParseException e) {
            // Without a time in the status, the time of observation counts.
            return Optional.empty();
        }
    }
}

package dev.edl.operators;

import dev.edl.RoleType;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
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
 * A custom resource, read for what it says of its job.
 *
 * @param uid tells it from another one of the name
 * @param created when it was created
 * @param taken whether its operator has written a status
 * @param status how the job stands; when the status is none that can be read, PENDING with what is wrong with it
 * @param legible whether it can be read
 * @param refusals what the operator says of requests that it did not carry out
 * @param wanted how many replicas of each role are wanted now
 * @param ended when the job ended, where the operator says it
 */
record ResourceView(
        String uid,
        Instant created,
        boolean taken,
        ResourceStatus status,
        boolean legible,
        List<String> refusals,
        Map<RoleType, Integer> wanted,
        Optional<Instant> ended) {
    ResourceView {
        refusals = List.copyOf(refusals);
        wanted = Map.copyOf(wanted);
    }

    static ResourceView of(JobResource resource, JobPlan plan, GenericKubernetesResource found) {
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
        return new ResourceView(
                found.getMetadata().getUid(),
                time(found.getMetadata().getCreationTimestamp()).orElse(Instant.EPOCH),
                !status.isEmpty(),
                read,
                legible,
                refusals(status),
                wanted,
                time(status.get("completionTime")));
    }

    /** The conditions of et-operator that are about a request and not about the job. */
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
            // It says nothing then, and the time at which the end was seen counts.
            return Optional.empty();
        }
    }
}

package dev.edl.spec;

import dev.edl.Framework;
import dev.edl.RoleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** A job as it was asked for. */
@EdlStyle
@Value.Immutable
public interface JobSpec {
    /** Starts a job. */
    static Builder builder() {
        return new Builder();
    }

    /** A DNS-1035 label: the stem of every name the job makes. */
    String name();

    /** The Kubernetes namespace. */
    @Value.Default
    default String namespace() {
        return "default";
    }

    /** Whose environment the replicas expect. */
    @Value.Default
    default Framework framework() {
        return Framework.ELASTICDL;
    }

    /**
     * The framework's version, {@code 2.15} or {@code 2.15.1}: what that version refuses, the plan refuses first. Absent: not
     * known.
     */
    Optional<String> frameworkVersion();

    /** Identifies one run of the job; absent: derived from the content. */
    Optional<String> runId();

    /** Labels of everything the job makes. */
    Map<String, String> labels();

    /** Annotations of everything the job makes. */
    Map<String, String> annotations();

    /** What holds for every role that does not say otherwise. */
    @Value.Default
    default RoleTemplate defaults() {
        return RoleTemplate.empty();
    }

    /** The roles, in the order given, each type once. */
    List<RoleSpec> roles();

    /** How the job as a whole runs and ends. */
    @Value.Default
    default RunPolicy policy() {
        return RunPolicy.defaults();
    }

    /** A role of the job. */
    default Optional<RoleSpec> role(RoleType type) {
        return roles().stream().filter(r -> r.type() == type).findFirst();
    }

    /** A role's template with the job's defaults beneath it. */
    default RoleTemplate effective(RoleSpec role) {
        return role.template().over(defaults());
    }

    /** Collects the parts. */
    final class Builder extends ImmutableJobSpec.Builder {
        Builder() {}
    }
}

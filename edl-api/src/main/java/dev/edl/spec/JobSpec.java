package dev.edl.spec;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** Immutable values of a job: its roles, defaults and policies. {@link dev.edl.Job#of} checks them. */
@ImmutablesStyle
@Value.Immutable
public interface JobSpec {
    /** Creates a builder. */
    static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the job's name, a DNS-1035 label: the stem of the names of all its objects. If empty,
     * {@link dev.edl.Job#of} derives a name from the content.
     */
    String name();

    /** Returns the Kubernetes namespace. */
    @Value.Default
    default String namespace() {
        return "default";
    }

    /** Returns the framework, which determines the environment of the replicas. */
    @Value.Default
    default Framework framework() {
        return Framework.ELASTICDL;
    }

    /**
     * Returns the framework's version, {@code 2.15} or {@code 2.15.1}. {@link dev.edl.Job#of} and the plan reject what
     * that version does not support. Empty if the version is unknown.
     */
    Optional<String> frameworkVersion();

    /** Returns the id of one run of the job; empty when it is derived from the content. */
    Optional<String> runId();

    /** Returns the labels of all objects of the job. */
    Map<String, String> labels();

    /** Returns the annotations of all objects of the job. */
    Map<String, String> annotations();

    /** Returns the settings that every role inherits unless it overrides them. */
    @Value.Default
    default RoleTemplate defaults() {
        return RoleTemplate.empty();
    }

    /** Returns the roles in the order in which they were added, each type once. */
    List<RoleSpec> roles();

    /** Returns the policies of the whole job, such as its deadline and cleanup. */
    @Value.Default
    default RunPolicy policy() {
        return RunPolicy.defaults();
    }

    /** Returns the role of a type; empty when the job has none. */
    default Optional<RoleSpec> role(RoleType type) {
        return roles().stream().filter(r -> r.type() == type).findFirst();
    }

    /** Returns a role's template merged over the job's defaults. */
    default RoleTemplate effective(RoleSpec role) {
        return role.template().over(defaults());
    }

    /** Builder of a spec. */
    final class Builder extends ImmutableJobSpec.Builder {
        Builder() {}
    }
}

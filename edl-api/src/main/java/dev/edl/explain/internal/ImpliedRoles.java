package dev.edl.explain.internal;

import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Adds the roles that a job needs and does not specify: the master of an elasticdl job, the scheduler of MXNet's
 * servers. Has pure functions only.
 *
 * <p>A role can be implied only if a job has exactly one replica of it, and that replica runs the same program as the
 * others. A Horovod launcher has another command and must be specified.
 */
public final class ImpliedRoles {
    /** Requests of an implied master: ElasticDL's default of {@code --master_resource_request}. */
    private static final Resources MASTER = Resources.parse("cpu=0.1,memory=1024Mi");

    private ImpliedRoles() {}

    /**
     * Returns a completed copy of the spec. In an mxnet job without the role {@code server}, the role {@code ps}
     * becomes it. The implied role, if the job lacks one, precedes the others.
     */
    public static JobSpec complete(JobSpec spec) {
        JobSpec named = withServers(spec);
        return role(named)
                .map(type -> with(named, Stream.concat(Stream.of(role(named, type)), named.roles().stream())))
                .orElse(named);
    }

    /**
     * Returns the role of a job that {@link #complete} would add if the job lacked it; empty if no role of the job
     * equals an implied one.
     */
    public static Optional<RoleSpec> in(JobSpec spec) {
        return spec.roles().stream()
                .filter(role -> role.type().single())
                .filter(role -> complete(without(spec, role.type())).equals(spec))
                .findFirst();
    }

    private static JobSpec without(JobSpec spec, RoleType type) {
        return with(spec, spec.roles().stream().filter(role -> role.type() != type));
    }

    private static Optional<RoleType> role(JobSpec spec) {
        if (spec.framework() == Framework.ELASTICDL
                && spec.role(RoleType.MASTER).isEmpty()) {
            return Optional.of(RoleType.MASTER);
        }
        boolean scheduled = spec.framework() == Framework.MXNET
                && spec.role(RoleType.SERVER).isPresent()
                && spec.role(RoleType.SCHEDULER).isEmpty();
        return scheduled ? Optional.of(RoleType.SCHEDULER) : Optional.empty();
    }

    private static JobSpec withServers(JobSpec spec) {
        if (spec.framework() != Framework.MXNET || spec.role(RoleType.SERVER).isPresent()) {
            return spec;
        }
        return with(
                spec,
                spec.roles().stream()
                        .map(role -> role.type() == RoleType.PS
                                ? RoleSpec.builder()
                                        .from(role)
                                        .type(RoleType.SERVER)
                                        .build()
                                : role));
    }

    private static JobSpec with(JobSpec spec, Stream<RoleSpec> roles) {
        return JobSpec.builder().from(spec).roles(roles.toList()).build();
    }

    private static RoleSpec role(JobSpec spec, RoleType type) {
        RoleTemplate defaults = spec.defaults();
        Map<String, String> requests = new LinkedHashMap<>();
        Map<String, String> limits = new LinkedHashMap<>();
        if (type == RoleType.MASTER) {
            requests.putAll(MASTER.amounts());
        }
        defaults.limits()
                .ifPresent(given -> requests.keySet().removeAll(given.amounts().keySet()));
        defaults.requests()
                .ifPresent(given -> requests.keySet().removeAll(given.amounts().keySet()));
        // It does not train: a device from the defaults of all roles would be reserved and never used.
        devices(defaults.requests()).forEach(name -> requests.put(name, "0"));
        devices(defaults.limits()).forEach(name -> limits.put(name, "0"));
        return RoleSpec.builder()
                .type(type)
                .replicas(1)
                .template(RoleTemplate.builder()
                        .requests(resources(requests))
                        .limits(resources(limits))
                        .priority(priority(spec))
                        .build())
                .build();
    }

    private static List<String> devices(Optional<Resources> resources) {
        List<String> names = new ArrayList<>();
        resources.ifPresent(given -> given.amounts().keySet().stream()
                .filter(name -> name.contains("/"))
                .forEach(names::add));
        return names;
    }

    private static Optional<Resources> resources(Map<String, String> amounts) {
        return amounts.isEmpty() ? Optional.empty() : Optional.of(new Resources(amounts));
    }

    /**
     * Returns the implied role's priority: that of the parameter servers. So its replica is not preempted before them;
     * its loss costs as much as theirs. Empty if the parameter servers have no priority of their own.
     */
    private static Optional<Priority> priority(JobSpec spec) {
        return Stream.of(RoleType.PS, RoleType.SERVER)
                .flatMap(type -> spec.role(type).stream())
                .findFirst()
                .flatMap(role -> role.template().priority());
    }
}

package dev.edl.plan;

import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that a profile's system has the framework and roles of a job, and returns default ports. */
final class ProfileSupportCheck {
    private ProfileSupportCheck() {}

    /** Rejects a job that the profile's system does not support. */
    static void check(JobSpec spec, Profile profile) {
        Set<Framework> frameworks = frameworks(profile);
        if (!frameworks.contains(spec.framework())) {
            throw new PlanException("job \"" + spec.name() + "\": profile " + profile + " supports "
                    + frameworks.stream().map(Framework::id).collect(Collectors.joining(", ")) + ", not "
                    + spec.framework() + "; plan it by another profile, for example plan(Profile.ELASTICDL)");
        }
        if (profile == Profile.TFJOB_V1ALPHA1) {
            for (RoleSpec role : spec.roles()) {
                if (role.type() == RoleType.CHIEF || role.type() == RoleType.EVALUATOR) {
                    throw new PlanException("job \"" + spec.name()
                            + "\": profile TFJOB_V1ALPHA1 has the roles master, ps, worker, not " + role.type()
                            + "; plan it by another profile, for example plan(Profile.KUBEFLOW_V1)"
                            + (role.type() == RoleType.CHIEF ? ", or make the chief a .master()" : ""));
                }
            }
        }
    }

    private static Set<Framework> frameworks(Profile profile) {
        return switch (profile) {
            case ELASTICDL -> EnumSet.allOf(Framework.class);
            case TFJOB_V1ALPHA1 -> EnumSet.of(Framework.TENSORFLOW);
            case KUBEFLOW_V1 -> EnumSet.complementOf(EnumSet.of(Framework.ELASTICDL));
            case MXJOB_V1BETA1 -> EnumSet.of(Framework.MXNET);
            case ET_V1ALPHA1 -> EnumSet.of(Framework.HOROVOD);
        };
    }

    /**
     * Returns the default port of a role: for framework ElasticDL, its own; otherwise that of the framework's
     * Kubernetes operators. For Horovod it is the SSH port, by which the launcher reaches the workers.
     */
    static int port(Framework framework, RoleType type) {
        return switch (framework) {
            case TENSORFLOW -> 2222;
            case MXNET -> 9091;
            case PYTORCH -> 23456;
            case HOROVOD -> 22;
            case ELASTICDL ->
                switch (type) {
                    case MASTER, CHIEF, LAUNCHER, SCHEDULER -> 50001;
                    case PS, SERVER -> 2222;
                    case WORKER, EVALUATOR -> 3333;
                };
        };
    }
}

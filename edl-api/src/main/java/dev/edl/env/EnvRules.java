package dev.edl.env;

import dev.edl.plan.EnvRule;
import dev.edl.plan.Profile;
import dev.edl.spec.Framework;

/** Selects the rule that sets the environment of a job's replicas, by framework and profile. */
public final class EnvRules {
    private EnvRules() {}

    /** Returns a framework's rule in {@link Profile#ELASTICDL}. */
    public static EnvRule of(Framework framework) {
        return of(framework, Profile.ELASTICDL);
    }

    /** Returns a framework's rule in a profile, which {@code dev.edl.Job.plan(Profile)} uses. */
    public static EnvRule of(Framework framework, Profile profile) {
        return switch (framework) {
            case ELASTICDL -> new ElasticDlRule();
            case TENSORFLOW -> TensorFlowEnv.of(profile);
            case MXNET -> new MxNetRule(profile);
            case HOROVOD -> HorovodEnv.of(profile);
            case PYTORCH -> PyTorchEnv.of(profile);
        };
    }
}

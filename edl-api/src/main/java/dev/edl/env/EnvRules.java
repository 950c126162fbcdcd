package dev.edl.env;

import dev.edl.Framework;
import dev.edl.plan.EnvRule;
import dev.edl.plan.Profile;

/** The environment rule of each framework, by each profile. */
public final class EnvRules {
    private EnvRules() {}

    /** A framework's rule by {@link Profile#ELASTICDL}. */
    public static EnvRule of(Framework framework) {
        return of(framework, Profile.ELASTICDL);
    }

    /** A framework's rule by a profile; {@code dev.edl.Job.plan(Profile)} uses it. */
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

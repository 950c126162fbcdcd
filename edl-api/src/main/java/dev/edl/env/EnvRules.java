package dev.edl.env;

import dev.edl.Framework;
import dev.edl.plan.EnvRule;
import dev.edl.plan.PlanException;

/** The environment rule of each framework. */
public final class EnvRules {
    private EnvRules() {}

    /**
     * A framework's rule.
     *
     * @throws PlanException for a framework that this version does not compose
     */
    public static EnvRule of(Framework framework) {
        return switch (framework) {
            case ELASTICDL -> new ElasticDlEnv();
            case TENSORFLOW -> new TfConfig();
            case MXNET -> new DmlcEnv();
            case HOROVOD, PYTORCH ->
                throw new PlanException("framework " + framework
                        + " is not composed by this version yet; it composes elasticdl, tensorflow and mxnet");
        };
    }
}

package dev.edl.env;

import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Restrictions of a framework, in the version that the job sets, which apply in every profile. {@code JobBuilder.build}
 * checks them; {@link dev.edl.plan.EnvRule#check} adds the restrictions of the profile.
 */
public final class FrameworkRestrictions {
    private FrameworkRestrictions() {}

    /**
     * Returns a message, without the job's name, for each setting that the framework does not support; empty if it
     * supports the job.
     */
    public static List<String> mistakes(JobSpec spec) {
        List<String> mistakes = new ArrayList<>();
        Optional<FrameworkVersion> version = spec.frameworkVersion().flatMap(FrameworkVersion::find);
        String named = spec.frameworkVersion().orElse("");
        boolean elastic = spec.role(RoleType.WORKER).flatMap(RoleSpec::elastic).isPresent();
        switch (spec.framework()) {
            case TENSORFLOW -> {
                if (spec.roles().stream().mapToInt(RoleSpec::replicas).sum() > 1) {
                    mistakes.addAll(TensorFlowVersions.mistakes(spec));
                }
            }
            case MXNET -> {
                boolean distributed = Stream.of(RoleType.SCHEDULER, RoleType.SERVER, RoleType.PS)
                        .anyMatch(type -> spec.role(type).isPresent());
                if (version.isPresent() && elastic && distributed) {
                    mistakes.add(
                            "MXNet " + named + " counts its workers once, at the start, and hangs with fewer or more;"
                                    + " leave " + elasticCall(spec) + " out");
                }
            }
            case HOROVOD -> {
                if (version.filter(v -> elastic && v.before(0, 20)).isPresent()) {
                    mistakes.add("Horovod " + named
                            + " has a fixed number of workers; elastic workers need 0.20; leave .elastic out");
                }
            }
            case PYTORCH -> {
                if (version.filter(v -> v.before(1, 9)).isPresent()) {
                    mistakes.add("PyTorch " + named
                            + " has no torchrun, which 1.9 introduced as torch.distributed.run; use 1.9 or newer");
                }
            }
            case ELASTICDL -> {}
        }
        return mistakes;
    }

    /**
     * Checks the job of a plan, since it may come from a spec that no builder has checked.
     *
     * @throws PlanException with every setting that the framework does not support
     */
    static void check(JobPlan plan) {
        refuse(plan, mistakes(plan.spec()));
    }

    static void refuse(JobPlan plan, List<String> mistakes) {
        if (!mistakes.isEmpty()) {
            throw new PlanException("job \"" + plan.name() + "\": " + String.join("; ", mistakes));
        }
    }

    private static String elasticCall(JobSpec spec) {
        return spec.role(RoleType.WORKER)
                .flatMap(RoleSpec::elastic)
                .map(bounds -> ".elastic(" + bounds.min() + ", " + bounds.max() + ")")
                .orElse(".elastic");
    }
}

package dev.edl.plan;

import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Checks limits of Linux and Kubernetes at planning time, where the message can name the field. */
final class PlanLimits {
    /**
     * Linux' MAX_ARG_STRLEN: maximum bytes, with the final NUL, of one {@code NAME=value} string or one word of a
     * command.
     */
    static final int ENV_BYTES = 131_072;

    /** Maximum length of a DNS label in Kubernetes. */
    static final int NAME_CHARS = 63;

    /** Largest id that a replica's name must have room for, since each relaunch of a worker takes a new id. */
    private static final int LATE_ID = 99_999;

    private PlanLimits() {}

    static void check(JobPlan plan, JobSpec spec) {
        checkLabels(plan, spec);
        plan.roles().stream()
                .max(Comparator.comparingInt(role -> longest(plan, role)))
                .ifPresent(role -> checkName(plan, role));
        for (RolePlan role : plan.roles()) {
            checkWords(plan, role);
            int last = role.bounds().max() - 1;
            Map<String, String> framework = plan.frameworkEnv(role, last, last);
            Set<String> twice = new TreeSet<>(role.template().env().keySet());
            twice.addAll(role.template().secretEnv().keySet());
            twice.retainAll(framework.keySet());
            // Operators of the other profiles append their variables to the user's, and the last one takes effect.
            if (!twice.isEmpty() && plan.profile() == Profile.ELASTICDL) {
                throw new PlanException("job \"" + plan.name() + "\": " + role.type() + ".env sets "
                        + String.join(", ", twice) + ", which the plan computes for framework " + plan.framework()
                        + "; leave it out");
            }
            Map<String, String> all = new TreeMap<>(role.template().env());
            all.putAll(framework);
            all.forEach((name, value) -> checkVariable(plan, role, last, name, value, framework.containsKey(name)));
        }
    }

    private static void checkLabels(JobPlan plan, JobSpec spec) {
        for (String key : spec.labels().keySet()) {
            if (plan.names().keys().contains(key)) {
                throw new PlanException("job \"" + spec.name() + "\": labels set " + key
                        + ", by which the job finds its replicas; choose another key, for example team");
            }
        }
    }

    private static int longest(JobPlan plan, RolePlan role) {
        int last = role.freshIds() ? LATE_ID : role.bounds().max() - 1;
        return plan.replicaName(role.type(), last).length();
    }

    /**
     * Throws {@link PlanException} if the names of a role are too long. The caller passes the role with the longest
     * names, so that one fix suffices.
     */
    private static void checkName(JobPlan plan, RolePlan role) {
        int last = role.bounds().max() - 1;
        int length = longest(plan, role);
        if (length > NAME_CHARS) {
            boolean cut = plan.profile() == Profile.TFJOB_V1ALPHA1;
            throw new PlanException("job \"" + plan.name() + "\": names such as "
                    + plan.replicaName(role.type(), role.freshIds() ? 0 : last) + " may have at most " + NAME_CHARS
                    + " characters" + (role.freshIds() ? ", with room for ids of five digits" : "")
                    + "; shorten the " + (cut ? "run id" : "job's name") + " by " + (length - NAME_CHARS));
        }
    }

    private static void checkWords(JobPlan plan, RolePlan role) {
        Stream.concat(role.template().command().stream(), role.template().args().stream())
                .mapToLong(word -> word.getBytes(StandardCharsets.UTF_8).length + 1L)
                .filter(bytes -> bytes > ENV_BYTES)
                .findFirst()
                .ifPresent(bytes -> {
                    throw new PlanException("job \"" + plan.name() + "\": a word of the command of " + role.type()
                            + " takes " + bytes + " bytes; Linux takes at most " + ENV_BYTES
                            + "; put it into a file on a volume and pass its path");
                });
    }

    private static void checkVariable(
            JobPlan plan, RolePlan role, int id, String name, String value, boolean computed) {
        long bytes =
                name.getBytes(StandardCharsets.UTF_8).length + 1L + value.getBytes(StandardCharsets.UTF_8).length + 1;
        if (bytes > ENV_BYTES) {
            throw new PlanException("job \"" + plan.name() + "\": environment variable " + name + " of "
                    + plan.replicaName(role.type(), id) + " takes " + bytes + " bytes; Linux takes at most " + ENV_BYTES
                    + wayOut(plan, computed));
        }
    }

    private static String wayOut(JobPlan plan, boolean computed) {
        if (!computed) {
            return "; put the value into a file on a volume and pass its path";
        }
        return "; use fewer replicas, or a shorter job name or namespace"
                + (plan.framework() == Framework.TENSORFLOW
                        ? ", or elastic workers and plan(Profile.KUBEFLOW_V1), by which a replica sees the parameter servers and"
                                + " itself at most"
                        : "");
    }
}

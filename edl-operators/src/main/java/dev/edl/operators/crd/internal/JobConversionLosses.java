package dev.edl.operators.crd.internal;

import dev.edl.Backoff;
import dev.edl.Framework;
import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import java.util.List;
import java.util.Locale;

/** Reports the settings of a job that a resource cannot express, with the job's paths and values. */
public final class JobConversionLosses {
    private final Job job;
    private final ConversionReport report;

    /** Creates the losses of a job that is being written. */
    public JobConversionLosses(Job job, ConversionReport report) {
        this.job = job;
        this.report = report;
    }

    /** Rejects a job of another framework. */
    public void framework(Framework wanted) {
        if (job.framework() != wanted) {
            report.mistake(
                    "framework must be " + wanted + ", was " + job.framework() + "; for example ." + wanted + "()");
        }
        job.spec()
                .frameworkVersion()
                .ifPresent(version -> report.loss("frameworkVersion", version, "only the image determines it"));
    }

    /** Reports options of other objects than pods, except the written ones. */
    public void options(PodOptions options, String... written) {
        options.nonPodOptions().forEach((name, value) -> {
            if (!List.of(written).contains(name)) {
                report.loss(
                        "options." + name, value, "the operator creates its own objects; create this one separately");
            }
        });
    }

    /** Reports the run id. */
    public void runId(String why) {
        job.spec().runId().ifPresent(id -> report.loss("runId", id, why));
    }

    /** Reports time to live and deadline. */
    public void times(String why) {
        job.spec().policy().ttl().ifPresent(ttl -> report.loss("ttl", ttl.toString(), why));
        job.spec().policy().deadline().ifPresent(deadline -> report.loss("deadline", deadline.toString(), why));
    }

    /** Reports the delays of relaunches. */
    public void backoff(String why) {
        Backoff backoff = job.spec().policy().backoff();
        if (!backoff.equals(Backoff.NONE)) {
            report.loss("backoff", backoff.toString(), why);
        }
    }

    /** Reports the bounds of scaling. */
    public void elastic(RoleSpec role, String why) {
        role.elastic().ifPresent(bounds -> report.loss(role.type() + ".elastic", bounds.toString(), why));
    }

    /** Reports the policy of exit codes. */
    public void exitCodes(RoleSpec role, String why) {
        RoleTemplate template = job.spec().effective(role);
        template.exitCodes()
                .ifPresent(codes -> report.loss(
                        role.type() + ".exitCodes",
                        "free=" + codes.free() + ",fatal=" + codes.fatal()
                                + (codes.temporary().isEmpty() ? "" : ",temporary=" + codes.temporary()),
                        why));
    }

    /** Reports the port. */
    public void port(RoleSpec role, String why) {
        job.spec().effective(role).port().ifPresent(port -> report.loss(role.type() + ".port", port, why));
    }

    /** Reports the limit of relaunches. */
    public void relaunchLimit(RoleSpec role, String why) {
        job.spec()
                .effective(role)
                .relaunchLimit()
                .ifPresent(limit -> report.loss(role.type() + ".relaunchLimit", limit, why));
    }

    /** Returns an enum constant as in a job's text: {@code all-workers}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

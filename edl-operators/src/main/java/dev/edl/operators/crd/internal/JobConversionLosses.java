package dev.edl.operators.crd.internal;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.Backoff;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import java.util.List;
import java.util.Locale;

/** Reports the settings of a job that a resource cannot express, with the job's paths and values. */
public final class JobConversionLosses {
    private final Job job;
    private final ConversionReport report;

    /** Creates a reporter for a job that is being written as a resource. */
    public JobConversionLosses(Job job, ConversionReport report) {
        this.job = job;
        this.report = report;
    }

    /** Adds a mistake if the job has another framework. */
    public void framework(Framework wanted) {
        if (job.framework() != wanted) {
            report.mistake(
                    "framework must be " + wanted + ", was " + job.framework() + "; for example ." + wanted + "()");
        }
        job.spec()
                .frameworkVersion()
                .ifPresent(version -> report.loss("frameworkVersion", version, "only the image determines it"));
    }

    /**
     * Reports a loss for each option of objects other than pods.
     *
     * @param written names of options that the resource expresses, which are not reported
     */
    public void options(PodOptions options, String... written) {
        options.nonPodOptions().forEach((name, value) -> {
            if (!List.of(written).contains(name)) {
                report.loss(
                        "options." + name, value, "the operator creates its own objects; create this one separately");
            }
        });
    }

    /** Reports a loss if the job has a run id. */
    public void runId(String why) {
        job.spec().runId().ifPresent(id -> report.loss("runId", id, why));
    }

    /** Reports losses of the job's time to live and deadline, if set. */
    public void times(String why) {
        job.spec().policy().ttl().ifPresent(ttl -> report.loss("ttl", ttl.toString(), why));
        job.spec().policy().deadline().ifPresent(deadline -> report.loss("deadline", deadline.toString(), why));
    }

    /** Reports a loss if the job sets delays between relaunches. */
    public void backoff(String why) {
        Backoff backoff = job.spec().policy().backoff();
        if (!backoff.equals(Backoff.NONE)) {
            report.loss("backoff", backoff.toString(), why);
        }
    }

    /** Reports a loss if the role is elastic. */
    public void elastic(RoleSpec role, String why) {
        role.elastic().ifPresent(bounds -> report.loss(role.type() + ".elastic", bounds.toString(), why));
    }

    /** Reports a loss if the role sets an exit code policy. */
    public void exitCodes(RoleSpec role, String why) {
        RoleTemplate template = job.spec().effective(role);
        template.exitCodes()
                .ifPresent(codes -> report.loss(
                        role.type() + ".exitCodes",
                        "free=" + codes.free() + ",fatal=" + codes.fatal()
                                + (codes.temporary().isEmpty() ? "" : ",temporary=" + codes.temporary()),
                        why));
    }

    /** Reports a loss if the role sets a port. */
    public void port(RoleSpec role, String why) {
        job.spec().effective(role).port().ifPresent(port -> report.loss(role.type() + ".port", port, why));
    }

    /** Reports a loss if the role sets a limit of relaunches. */
    public void relaunchLimit(RoleSpec role, String why) {
        job.spec()
                .effective(role)
                .relaunchLimit()
                .ifPresent(limit -> report.loss(role.type() + ".relaunchLimit", limit, why));
    }

    /** Returns an enum constant as a job's YAML spells it, such as {@code all-workers}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

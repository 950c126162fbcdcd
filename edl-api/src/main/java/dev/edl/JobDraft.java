package dev.edl;

import dev.edl.explain.internal.ImpliedRoles;
import dev.edl.internal.job.JobSourceFormat;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SuccessPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Mutable content of a job that a builder composes. Not safe for use by several threads. */
final class JobDraft {
    final Map<RoleType, RoleDraft> roles = new LinkedHashMap<>();
    final RoleDraft defaults;

    /** Name of the job; if empty, it is derived from the job's content. */
    String name = "";

    @Nullable
    String namespace;

    Framework framework = Framework.ELASTICDL;

    @Nullable
    String frameworkVersion;

    @Nullable
    String runId;

    Map<String, String> labels = new TreeMap<>();
    Map<String, String> annotations = new TreeMap<>();

    @Nullable
    SuccessPolicy success;

    CleanupPolicy cleanup = RunPolicy.defaults().cleanup();

    @Nullable
    Duration ttl;

    @Nullable
    Duration deadline;

    Backoff backoff = RunPolicy.defaults().backoff();

    JobDraft() {
        this(new RoleDraft("defaults"));
    }

    private JobDraft(RoleDraft defaults) {
        this.defaults = defaults;
    }

    static JobDraft of(JobSpec spec) {
        JobDraft draft = new JobDraft(RoleDraft.of("defaults", spec.defaults()));
        for (RoleSpec role : spec.roles()) {
            draft.roles.put(role.type(), RoleDraft.of(JobSourceFormat.CODE.path(role.type()), role));
        }
        draft.name = spec.name();
        draft.namespace = spec.namespace();
        draft.framework = spec.framework();
        draft.frameworkVersion = spec.frameworkVersion().orElse(null);
        draft.runId = spec.runId().orElse(null);
        draft.labels.putAll(spec.labels());
        draft.annotations.putAll(spec.annotations());
        draft.success = spec.policy().success().orElse(null);
        draft.cleanup = spec.policy().cleanup();
        draft.ttl = spec.policy().ttl().orElse(null);
        draft.deadline = spec.policy().deadline().orElse(null);
        draft.backoff = spec.policy().backoff();
        return draft;
    }

    /**
     * Sets the framework and clears its version. Removes the role that only the previous framework implied, unless the
     * builder has reopened it.
     */
    void framework(Framework other) {
        if (other != framework) {
            ImpliedRoles.in(spec())
                    .filter(role -> Optional.ofNullable(roles.get(role.type()))
                            .filter(draft -> draft.inherited)
                            .isPresent())
                    .ifPresent(role -> roles.remove(role.type()));
        }
        framework = other;
        frameworkVersion = null;
    }

    JobSpec spec() {
        JobSpec.Builder spec = JobSpec.builder()
                .name(name)
                .framework(framework)
                .frameworkVersion(Optional.ofNullable(frameworkVersion))
                .runId(Optional.ofNullable(runId))
                .labels(labels)
                .annotations(annotations)
                .defaults(defaults.template())
                .policy(RunPolicy.builder()
                        .success(Optional.ofNullable(success))
                        .cleanup(cleanup)
                        .ttl(Optional.ofNullable(ttl))
                        .deadline(Optional.ofNullable(deadline))
                        .backoff(backoff)
                        .build());
        Optional.ofNullable(namespace).ifPresent(spec::namespace);
        roles.forEach((type, draft) -> spec.addRoles(draft.role(type)));
        return spec.build();
    }
}

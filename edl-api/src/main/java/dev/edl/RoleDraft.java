package dev.edl;

import dev.edl.spec.ElasticBounds;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.SecretRef;
import dev.edl.spec.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Mutable settings of one role, or of the defaults, while a job is built. Not safe for use by several threads. */
final class RoleDraft {
    final String path;
    int replicas = 1;

    /** Whether the role comes from an existing job and has not been reopened. */
    boolean inherited;

    @Nullable
    ElasticBounds elastic;

    @Nullable
    String image;

    List<String> command = List.of();
    List<String> args = List.of();
    Map<String, String> env = new LinkedHashMap<>();
    Map<String, SecretRef> secretEnv = new LinkedHashMap<>();

    @Nullable
    Resources requests;

    @Nullable
    Resources limits;

    @Nullable
    Priority priority;

    List<Volume> volumes = new ArrayList<>();

    @Nullable
    Integer port;

    @Nullable
    RestartPolicy restart;

    @Nullable
    ExitCodePolicy exitCodes;

    @Nullable
    Integer relaunchLimit;

    RoleDraft(String path) {
        this.path = path;
    }

    static RoleDraft of(String path, RoleTemplate template) {
        RoleDraft draft = new RoleDraft(path);
        draft.image = template.image().orElse(null);
        draft.command = template.command();
        draft.args = template.args();
        draft.env.putAll(template.env());
        draft.secretEnv.putAll(template.secretEnv());
        draft.requests = template.requests().orElse(null);
        draft.limits = template.limits().orElse(null);
        draft.priority = template.priority().orElse(null);
        draft.volumes.addAll(template.volumes());
        draft.port = template.port().isPresent() ? template.port().getAsInt() : null;
        draft.restart = template.restart().orElse(null);
        draft.exitCodes = template.exitCodes().orElse(null);
        draft.relaunchLimit =
                template.relaunchLimit().isPresent() ? template.relaunchLimit().getAsInt() : null;
        return draft;
    }

    static RoleDraft of(String path, RoleSpec role) {
        RoleDraft draft = of(path, role.template());
        draft.replicas = role.replicas();
        draft.elastic = role.elastic().orElse(null);
        draft.inherited = true;
        return draft;
    }

    RoleTemplate template() {
        return RoleTemplate.builder()
                .image(Optional.ofNullable(image))
                .command(command)
                .args(args)
                .env(env)
                .secretEnv(secretEnv)
                .requests(Optional.ofNullable(requests))
                .limits(Optional.ofNullable(limits))
                .priority(Optional.ofNullable(priority))
                .volumes(volumes)
                .port(port == null ? OptionalInt.empty() : OptionalInt.of(port))
                .restart(Optional.ofNullable(restart))
                .exitCodes(Optional.ofNullable(exitCodes))
                .relaunchLimit(relaunchLimit == null ? OptionalInt.empty() : OptionalInt.of(relaunchLimit))
                .build();
    }

    RoleSpec role(RoleType type) {
        return RoleSpec.builder()
                .type(type)
                .replicas(replicas)
                .elastic(Optional.ofNullable(elastic))
                .template(template())
                .build();
    }
}

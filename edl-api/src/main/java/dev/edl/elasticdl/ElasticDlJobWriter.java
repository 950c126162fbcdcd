package dev.edl.elasticdl;

import static dev.edl.elasticdl.ElasticDlVerb.TRAIN;
import static dev.edl.elasticdl.ElasticDlVersion.RELEASE_1_0;

import dev.edl.internal.text.MessageText;
import dev.edl.spec.Backoff;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SensitiveEnv;
import dev.edl.spec.Volume;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Converts a job to ElasticDL's flags. Reports a setting that ElasticDL would reject or misread as a problem, and a
 * setting without a flag as a loss, see {@link ElasticDlCommand#losses}.
 */
final class ElasticDlJobWriter {
    private final ElasticDlVersion version;
    private final ElasticDlVerb verb;
    private final JobSpec spec;
    private final Consumer<String> problems;
    private final Consumer<String> losses;
    private final Map<String, String> flags = new LinkedHashMap<>();

    ElasticDlJobWriter(
            ElasticDlVersion version,
            ElasticDlVerb verb,
            JobSpec spec,
            Consumer<String> problems,
            Consumer<String> losses) {
        this.version = version;
        this.verb = verb;
        this.spec = spec;
        this.problems = problems;
        this.losses = losses;
    }

    Map<String, String> write() {
        if (spec.framework() != Framework.ELASTICDL) {
            problems.accept("framework must be elasticdl for an ElasticDL command line, was " + spec.framework());
        }
        flags.put("job_name", spec.name());
        flags.put("namespace", spec.namespace());
        flags.put("num_ps_pods", count(RoleType.PS));
        flags.put("num_workers", count(RoleType.WORKER));
        whole();
        images();
        same("volumes", RoleTemplate::volumes, volumes -> volumes).ifPresent(this::volumes);
        same("env", RoleTemplate::env, SensitiveEnv::shown)
                .filter(env -> !env.isEmpty())
                .ifPresent(env -> flags.put("envs", ElasticDlEnvs.write(env, problems)));
        same("secretEnv", RoleTemplate::secretEnv, secrets -> secrets)
                .ifPresent(secrets -> lost("secretEnv", !secrets.isEmpty(), secrets));
        boolean commands = command();
        for (RoleSpec role : spec.roles()) {
            role(role, spec.effective(role), commands);
        }
        return flags;
    }

    private String count(RoleType type) {
        return Integer.toString(spec.role(type).map(RoleSpec::replicas).orElse(0));
    }

    private void whole() {
        RunPolicy policy = spec.policy();
        lost(
                "frameworkVersion",
                spec.frameworkVersion().isPresent(),
                spec.frameworkVersion().orElse(""));
        lost("runId", spec.runId().isPresent(), spec.runId().orElse(""));
        lost("labels", !spec.labels().isEmpty(), spec.labels());
        lost("annotations", !spec.annotations().isEmpty(), spec.annotations());
        policy.success().ifPresent(success -> lost("success", true, MessageText.word(success)));
        lost("cleanup", policy.cleanup() != RunPolicy.defaults().cleanup(), MessageText.word(policy.cleanup()));
        policy.ttl().ifPresent(ttl -> lost("ttl", true, ttl));
        policy.deadline().ifPresent(deadline -> lost("deadline", true, deadline));
        lost("backoff", !policy.backoff().equals(Backoff.NONE), policy.backoff());
    }

    private void lost(String path, boolean said, Object value) {
        if (said) {
            losses.accept(path + "=" + value + ": ElasticDL has no flag for it");
        }
    }

    /** Writes the roles' images. Before 1.0, all roles share one image, so that different images are a problem. */
    private void images() {
        Map<RoleType, String> images = new LinkedHashMap<>();
        spec.roles()
                .forEach(role ->
                        images.put(role.type(), spec.effective(role).image().orElse("")));
        Set<String> different = new HashSet<>(images.values());
        String main = images.getOrDefault(RoleType.MASTER, "");
        if (different.size() > 1 && version != RELEASE_1_0) {
            problems.accept("image must be one for all roles in " + version + ", was " + images);
        } else if (different.size() > 1) {
            images.forEach((type, image) -> {
                if (!image.equals(main) && image.isEmpty()) {
                    problems.accept(type + ".image must be set, because ElasticDL would use the master's image, "
                            + MessageText.quoted(main));
                } else if (!image.equals(main)) {
                    flags.put(type.id() + "_image", image);
                }
            });
        }
        if (!main.isEmpty()) {
            flags.put("image_name", main);
        }
    }

    /**
     * Returns a setting that ElasticDL applies to all pods alike; empty, after a reported problem, if the roles differ.
     */
    private <T> Optional<T> same(String field, Function<RoleTemplate, T> part, UnaryOperator<T> shown) {
        Map<RoleType, T> parts = new LinkedHashMap<>();
        spec.roles().forEach(role -> parts.put(role.type(), part.apply(spec.effective(role))));
        if (new HashSet<>(parts.values()).size() > 1) {
            parts.replaceAll((type, value) -> shown.apply(value));
            problems.accept(
                    field + " must be the same in all roles, as ElasticDL gives them to every pod, was " + parts);
            return Optional.empty();
        }
        return parts.values().stream().findFirst();
    }

    private void volumes(List<Volume> volumes) {
        volumes.stream()
                .filter(Volume::readOnly)
                .forEach(volume ->
                        losses.accept("volumes=" + volume + ": ElasticDL mounts every volume for reading and writing"));
        if (volumes.isEmpty()) {
            return;
        }
        List<Volume> written =
                volumes.stream().map(volume -> volume.readOnly(false)).toList();
        String text = written.stream().map(Volume::toString).collect(Collectors.joining(";"));
        if (readsBack(text, written)) {
            flags.put("volume", text);
        } else {
            problems.accept("volumes must have no comma, semicolon or equals sign, at which ElasticDL splits them, was "
                    + MessageText.quoted(text));
        }
    }

    private static boolean readsBack(String text, List<Volume> volumes) {
        try {
            return Volume.parse(text).equals(volumes);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Writes the command of workers and parameter servers as {@code --job_command}. Writes nothing and returns false if
     * the version or the action lacks that flag, or the roles have no common command {@code /bin/bash -c …}.
     */
    private boolean command() {
        List<List<String>> commands = spec.roles().stream()
                .filter(role -> role.type() != RoleType.MASTER)
                .map(spec::effective)
                .map(template -> template.args().isEmpty() ? template.command() : List.<String>of())
                .distinct()
                .toList();
        if (version != RELEASE_1_0 || verb != TRAIN || commands.size() != 1) {
            return false;
        }
        List<String> command = commands.get(0);
        if (command.size() != 3 || !command.subList(0, 2).equals(List.of("/bin/bash", "-c"))) {
            return false;
        }
        flags.put("job_command", command.get(2));
        return true;
    }

    private void role(RoleSpec role, RoleTemplate template, boolean commands) {
        String word = role.type().id();
        template.requests()
                .ifPresentOrElse(
                        requests -> resources(word, "request", requests),
                        () -> losses.accept(word + ".requests are missing: ElasticDL then requests "
                                + ElasticDlFlags.find(version, verb, word + "_resource_request")
                                        .flatMap(flag -> flag.fallback(version, verb))
                                        .orElse("")));
        if (template.limits().isPresent()) {
            resources(word, "limit", template.effectiveLimits());
        }
        template.priority().ifPresent(priority -> priority(role.type(), priority));
        boolean said = commands && role.type() != RoleType.MASTER;
        lost(word + ".command", !template.command().isEmpty() && !said, template.command());
        lost(word + ".args", !template.args().isEmpty(), template.args());
        role.elastic().ifPresent(bounds -> lost(word + ".elastic", true, bounds));
        template.port().ifPresent(port -> lost(word + ".port", true, port));
        template.restart().ifPresent(restart -> lost(word + ".restart", true, MessageText.word(restart)));
        template.exitCodes().ifPresent(codes -> lost(word + ".exitCodes", true, codes));
        template.relaunchLimit().ifPresent(limit -> relaunches(role.type(), limit));
    }

    private void relaunches(RoleType type, int limit) {
        String flag = type == RoleType.WORKER ? "relaunch_on_worker_failure" : "ps_relaunch_max_num";
        if (type != RoleType.MASTER && ElasticDlFlags.find(version, verb, flag).isPresent()) {
            flags.put(flag, Integer.toString(limit));
        } else {
            lost(type + ".relaunchLimit", true, limit);
        }
    }

    private void resources(String word, String kind, Resources resources) {
        if (resources.amounts().isEmpty()) {
            problems.accept(
                    word + "." + kind + "s: ElasticDL needs at least one resource, had none; for example cpu=2");
            return;
        }
        flags.put(word + "_resource_" + kind, ElasticDlResources.write(resources));
    }

    private void priority(RoleType type, Priority priority) {
        String wrong = type == RoleType.WORKER ? ElasticDlJobReader.workers(version, priority) : "";
        if (wrong.isEmpty()) {
            flags.put(type.id() + "_pod_priority", priority.toString());
        } else {
            problems.accept(type + ".priority " + wrong + ", was \"" + priority + "\"");
        }
    }
}

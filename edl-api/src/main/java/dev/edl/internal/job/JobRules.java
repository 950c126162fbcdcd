package dev.edl.internal.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.edl.env.FrameworkRestrictions;
import dev.edl.env.HorovodEnv;
import dev.edl.internal.text.DurationText;
import dev.edl.internal.text.KubernetesSyntax;
import dev.edl.internal.text.MessageText;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Checks a job by the rules for the whole job, and each of its roles by {@link RoleRules}. */
public final class JobRules {
    private static final int LONGEST_NAME = 63;
    private static final Pattern VERSION =
            Pattern.compile("\\d{1,6}(\\.\\d{1,6}){1,3}([-+.]?[A-Za-z][A-Za-z0-9.+-]{0,40})?");
    private static final String LAUNCH = "exec horovodrun $" + HorovodEnv.VARIABLE + " python train.py";
    private static final int LONGEST_ANNOTATIONS = 256 * 1024;

    private final JobSpec spec;
    private final JobSourceFormat format;
    private final List<String> mistakes = new ArrayList<>();

    public JobRules(JobSpec spec, JobSourceFormat format) {
        this.spec = spec;
        this.format = format;
    }

    /** Returns all mistakes of the job, each starting with the path of the wrong setting. */
    public List<String> check() {
        name();
        label("namespace", spec.namespace(), "training");
        frameworkVersion();
        spec.runId().ifPresent(id -> label("runId", id, "run-1"));
        labels();
        annotations();
        roles();
        leader();
        if (!spec.roles().isEmpty()) {
            mistakes.addAll(FrameworkRestrictions.mistakes(spec));
        }
        policy();
        new RoleTemplateRules("defaults", spec.defaults(), format, mistakes).check();
        spec.roles().forEach(role -> new RoleRules(spec, role, format, mistakes).check());
        return mistakes;
    }

    private void name() {
        String name = spec.name();
        // An empty name is derived from the content.
        if (!name.isEmpty() && !KubernetesSyntax.isDns1035Label(name)) {
            mistakes.add("name must be lower-case letters, digits and dashes, first a letter, last no dash, was "
                    + MessageText.quoted(name) + format.example("name(\"test-mnist\")", "name: test-mnist"));
        }
        if (name.length() > LONGEST_NAME) {
            mistakes.add("name must have at most " + LONGEST_NAME + " characters, as it is the value of a label, was "
                    + MessageText.quoted(name) + " with " + name.length());
        }
    }

    private void frameworkVersion() {
        spec.frameworkVersion().ifPresent(version -> {
            if (spec.framework() == Framework.ELASTICDL) {
                mistakes.add("frameworkVersion must be left out, was " + MessageText.quoted(version)
                        + "; an elasticdl job has EDL's own runtime");
            } else if (!VERSION.matcher(version).matches()) {
                mistakes.add("frameworkVersion must be two to four numbers with dots between them, optionally followed"
                        + " by letters, was " + MessageText.quoted(version)
                        + format.example(spec.framework() + "(\"2.15\")", "frameworkVersion: \"2.15\""));
            }
        });
    }

    private void label(String field, String value, String example) {
        if (!KubernetesSyntax.isDns1123Label(value)) {
            mistakes.add(
                    field + " must be at most 63 lower-case letters, digits and dashes, first and last no dash, was "
                            + MessageText.quoted(value)
                            + format.example(field + "(\"" + example + "\")", field + ": " + example));
        }
    }

    private void labels() {
        keys("labels", spec.labels());
        spec.labels().forEach((key, value) -> {
            if (!KubernetesSyntax.isLabelValue(value)) {
                mistakes.add(
                        "labels." + key + " must be at most 63 letters, digits, dashes, dots and underscores, first"
                                + " and last a letter or digit, was " + MessageText.quoted(value)
                                + format.example("label(\"team\", \"vision\")", "team: vision"));
            }
        });
    }

    private void annotations() {
        keys("annotations", spec.annotations());
        spec.annotations().forEach((key, value) -> RoleTemplateRules.text("annotations." + key, value, mistakes));
        long size = spec.annotations().entrySet().stream()
                .mapToLong(entry ->
                        entry.getKey().getBytes(UTF_8).length + entry.getValue().getBytes(UTF_8).length)
                .sum();
        if (size > LONGEST_ANNOTATIONS) {
            mistakes.add("annotations must have at most " + LONGEST_ANNOTATIONS + " bytes together, had " + size);
        }
    }

    private void keys(String field, Map<String, String> entries) {
        for (String key : entries.keySet()) {
            if (!KubernetesSyntax.isQualifiedName(key)) {
                mistakes.add(
                        field + ": a key must be a name of at most 63 letters, digits, dashes, dots and underscores,"
                                + " optionally after a domain and a slash, was " + MessageText.quoted(key)
                                + "; for example team or example.com/team");
            }
        }
    }

    private void roles() {
        if (spec.roles().isEmpty()) {
            mistakes.add("roles are missing"
                    + format.example("ps(2).workers(4)", "roles: {ps: {replicas: 2}, worker: {replicas: 4}}"));
        }
        Set<RoleType> known = known(spec.framework());
        Set<RoleType> seen = EnumSet.noneOf(RoleType.class);
        for (RoleSpec role : spec.roles()) {
            if (!seen.add(role.type())) {
                mistakes.add(
                        format.path(role.type()) + " is given twice; specify each role once, followed by its settings");
            } else if (!known.contains(role.type())) {
                mistakes.add(format.path(role.type()) + " is not a role of " + spec.framework() + ", whose roles are "
                        + known.stream().map(RoleType::id).collect(joining(", ")) + wayOut(role.type()));
            }
        }
    }

    private void leader() {
        Predicate<RoleType> has = type -> spec.role(type).isPresent();
        if (spec.framework() == Framework.ELASTICDL && !spec.roles().isEmpty()) {
            if (!has.test(RoleType.WORKER)) {
                mistakes.add("worker is missing, which trains in an elasticdl job; add "
                        + (format == JobSourceFormat.TEXT ? "roles: {worker: {replicas: 4}}" : ".workers(4)"));
            }
        }
        if (has.test(RoleType.MASTER) && has.test(RoleType.CHIEF)) {
            mistakes.add(format.path(RoleType.CHIEF) + " and " + format.path(RoleType.MASTER)
                    + " both lead the training; keep one of them");
        }
        if (spec.framework() == Framework.MXNET && has.test(RoleType.SERVER) && has.test(RoleType.PS)) {
            mistakes.add(format.path(RoleType.PS) + " and " + format.path(RoleType.SERVER)
                    + " both are the parameter servers of an mxnet job; keep one of them");
        }
        if (spec.framework() == Framework.HOROVOD && !spec.roles().isEmpty() && !has.test(RoleType.LAUNCHER)) {
            mistakes.add(
                    "launcher is missing, which starts the processes of a horovod job on its workers, by a command that no"
                            + " other replica runs; add "
                            + (format == JobSourceFormat.TEXT
                                    ? "roles: {launcher: {command: [sh, -c, \"" + LAUNCH + "\"]}}"
                                    : ".launcher().command(\"sh\", \"-c\", \"" + LAUNCH + "\")"));
        }
        boolean leads = spec.framework() == Framework.ELASTICDL
                || has.test(RoleType.MASTER)
                || has.test(RoleType.CHIEF)
                || has.test(RoleType.LAUNCHER);
        boolean byWorkers = !leads
                || spec.policy()
                        .success()
                        .filter(SuccessPolicy.ALL_WORKERS::equals)
                        .isPresent();
        if (byWorkers && !has.test(RoleType.WORKER) && !spec.roles().isEmpty()) {
            mistakes.add("success needs workers that can succeed"
                    + (leads ? ", or " + MessageText.word(SuccessPolicy.LEADER) : "") + "; add "
                    + (format == JobSourceFormat.TEXT ? "roles: {worker: {replicas: 4}}" : ".workers(4)"));
        }
    }

    private String wayOut(RoleType type) {
        boolean reduces = spec.framework() == Framework.HOROVOD || spec.framework() == Framework.PYTORCH;
        return type == RoleType.PS && reduces
                ? "; its workers reduce gradients among themselves, without parameter servers: leave it out"
                : "";
    }

    private void policy() {
        spec.policy().ttl().ifPresent(ttl -> {
            String example = format.example("ttl(Duration.ofHours(1))", "ttl: PT1H");
            if (ttl.isNegative()) {
                mistakes.add("ttl must not be negative, was " + ttl + example);
            }
            longest("ttl", ttl, example);
        });
        spec.policy().deadline().ifPresent(deadline -> {
            String example = format.example("deadline(Duration.ofHours(2))", "deadline: PT2H");
            if (deadline.isNegative() || deadline.isZero()) {
                mistakes.add("deadline must be more than zero, was " + deadline + example);
            }
            longest("deadline", deadline, example);
        });
    }

    private void longest(String field, Duration value, String example) {
        if (value.compareTo(DurationText.LONGEST) > 0) {
            mistakes.add(field + " must be at most " + DurationText.LONGEST.toDays() + " days, was " + value + example);
        }
    }

    private static Set<RoleType> known(Framework framework) {
        return switch (framework) {
            case ELASTICDL -> EnumSet.of(RoleType.MASTER, RoleType.PS, RoleType.WORKER);
            case TENSORFLOW ->
                EnumSet.of(RoleType.MASTER, RoleType.CHIEF, RoleType.PS, RoleType.WORKER, RoleType.EVALUATOR);
            case MXNET -> EnumSet.of(RoleType.SCHEDULER, RoleType.SERVER, RoleType.PS, RoleType.WORKER);
            case HOROVOD -> EnumSet.of(RoleType.LAUNCHER, RoleType.WORKER);
            case PYTORCH -> EnumSet.of(RoleType.MASTER, RoleType.WORKER);
        };
    }
}

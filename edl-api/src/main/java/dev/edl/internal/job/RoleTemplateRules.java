package dev.edl.internal.job;

import dev.edl.internal.text.KubernetesSyntax;
import dev.edl.internal.text.MessageText;
import dev.edl.internal.text.ResourceAmountText;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.SensitiveEnv;
import dev.edl.spec.Volume;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks the settings of one role, or the defaults of all roles, and adds the mistakes to those of the job. */
final class RoleTemplateRules {

    private final String path;
    private final RoleTemplate template;
    private final JobSourceFormat format;
    private final List<String> mistakes;

    RoleTemplateRules(String path, RoleTemplate template, JobSourceFormat format, List<String> mistakes) {
        this.path = path;
        this.template = template;
        this.format = format;
        this.mistakes = mistakes;
    }

    void check() {
        template.image()
                .filter(image -> !image.matches("\\S+"))
                .ifPresent(image -> mistakes.add(path
                        + ".image must not be empty and have no spaces, was " + MessageText.quoted(image)
                        + format.example(
                                "image(\"registry.example/acme/mnist:1\")", "image: registry.example/acme/mnist:1")));
        if (!template.command().isEmpty() && template.command().get(0).isBlank()) {
            mistakes.add(path + ".command must start with a program, was "
                    + MessageText.quoted(template.command().get(0))
                    + format.example("command(\"python\", \"train.py\")", "command: [python, train.py]"));
        }
        template.image().ifPresent(image -> text(path + ".image", image, mistakes));
        for (Volume volume : template.volumes()) {
            text(path + ".volumes", volume.toString(), mistakes);
        }
        withoutNul("command", template.command());
        withoutNul("args", template.args());
        env();
        port();
        template.relaunchLimit().ifPresent(limit -> {
            if (limit < 0) {
                mistakes.add(path + ".relaunchLimit must be at least 0, was " + limit
                        + format.example("relaunchLimit(3)", "relaunchLimit: 3"));
            }
        });
        if (path.equals("defaults")) {
            defaults();
        }
    }

    private void withoutNul(String field, List<String> words) {
        for (String word : words) {
            if (word.indexOf('\0') >= 0) {
                mistakes.add(path + "." + field + " must not hold the character NUL, was " + MessageText.quoted(word));
            }
            text(path + "." + field, word, mistakes);
        }
    }

    /**
     * Adds a mistake if the value contains half of a surrogate pair. UTF-8, the encoding of processes and of
     * Kubernetes, cannot represent it, so the text would change.
     */
    static void text(String path, String value, List<String> mistakes) {
        int at = 0;
        while (at < value.length()) {
            int c = value.codePointAt(at);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                mistakes.add(path + " must be text that UTF-8 can hold, had half a surrogate pair, U+"
                        + Integer.toHexString(c).toUpperCase(Locale.ROOT) + ", at character " + at
                        + "; give bytes as text, for example in Base64");
                return;
            }
            at += Character.charCount(c);
        }
    }

    private void env() {
        template.env().forEach((name, value) -> {
            if (!KubernetesSyntax.isEnvName(name)) {
                mistakes.add(path + ".env: a name must be letters, digits and underscores, first no digit, was "
                        + MessageText.quoted(name)
                        + format.example("env(\"BATCH_SIZE\", \"64\")", "BATCH_SIZE: \"64\""));
            }
            if (value.indexOf('\0') >= 0) {
                mistakes.add(path + ".env." + name + " must not hold the character NUL, was "
                        + MessageText.quoted(SensitiveEnv.shown(name, value)));
            }
            text(path + ".env." + name, value, mistakes);
        });
        template.secretEnv().keySet().stream()
                .filter(name -> !KubernetesSyntax.isEnvName(name))
                .forEach(name -> mistakes.add(path
                        + ".secretEnv: a name must be letters, digits and underscores, first no digit, was "
                        + MessageText.quoted(name)
                        + format.example(
                                "secretEnv(\"AWS_SECRET_ACCESS_KEY\", \"s3\", \"secret\")",
                                "AWS_SECRET_ACCESS_KEY: s3/secret")));
    }

    private void port() {
        template.port().ifPresent(port -> {
            if (port < 1 || port > 65535) {
                mistakes.add(path + ".port must be from 1 to 65535, was " + port
                        + format.example("port(2222)", "port: 2222"));
            }
        });
    }

    private void defaults() {
        limits(path, template, mistakes);
        mounts(path, template.volumes(), mistakes);
        template.priority()
                .filter(Priority::isFraction)
                .ifPresent(priority -> mistakes.add(path
                        + ".priority must be a class, as a fraction is for workers only, was \"" + priority + "\""
                        + format.example("workers(4).priority(\"" + priority + "\")", "priority: high")));
    }

    /**
     * Adds a mistake for each limit below the request of that resource, and for each limit of an extended resource that
     * differs from the request.
     *
     * @param template settings of a role, merged over the job's defaults
     */
    static void limits(String path, RoleTemplate template, List<String> mistakes) {
        Resources requests = template.requests().orElse(Resources.of());
        Resources limits = template.limits().orElse(Resources.of());
        limits.amounts().forEach((name, limit) -> {
            String request = requests.amounts().get(name);
            if (request == null) {
                return;
            }
            int order = limits.value(name).compareTo(requests.value(name));
            if (ResourceAmountText.isExtended(name) && order != 0) {
                mistakes.add(path + ".limits: " + name + "=" + limit + " must equal the request " + name + "=" + request
                        + ", as Kubernetes does not share such devices");
            } else if (order < 0) {
                mistakes.add(path + ".limits: " + name + "=" + limit + " must be at least the request " + name + "="
                        + request);
            }
        });
    }

    /** Adds a mistake for each volume whose mount path an earlier volume has. */
    static void mounts(String path, List<Volume> volumes, List<String> mistakes) {
        Map<String, Volume> mounted = new HashMap<>();
        for (Volume volume : volumes) {
            Volume before = mounted.putIfAbsent(volume.mountPath(), volume);
            if (before != null) {
                mistakes.add(path + ".volumes: " + volume.mountPath() + " must be mounted once, was by \"" + before
                        + "\" and by \"" + volume + "\"");
            }
        }
    }
}

package dev.edl.exec.local;

import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks that a plan can run as local processes. */
final class LocalPlanCheck {
    /** Features of a role that only a cluster provides; an executor can be configured to ignore them. */
    enum ClusterOnlyFeature {
        IMAGE,
        VOLUME
    }

    private LocalPlanCheck() {}

    /**
     * Rejects a plan that cannot run as local processes.
     *
     * @param options the executor's settings: ignored features, default PATH, working directories and secrets
     * @throws PlanException with every reason why the plan cannot run
     */
    static void check(JobPlan plan, LocalExecutorBuilder options) {
        Set<ClusterOnlyFeature> ignored = options.ignored;
        String path = options.environment.getOrDefault("PATH", "");
        List<String> problems = new ArrayList<>();
        for (RolePlan role : plan.roles()) {
            RoleTemplate template = role.template();
            RoleType type = role.type();
            Path directory = options.directoryOf(type).orElse(Path.of(""));
            if (!Files.isDirectory(directory.toAbsolutePath())) {
                problems.add(type + " runs in " + directory + ", which must be an existing directory; create it or"
                        + " set another one, for example .directory(Path.of(\"work\"))");
            }
            if (template.command().isEmpty()) {
                problems.add(type + ".command is missing, and a local process has no image entry point; add for example"
                        + " .command(\"python3\", \"train.py\")");
            } else {
                program(
                        type,
                        template.command().get(0),
                        directory,
                        template.env().getOrDefault("PATH", path),
                        problems);
            }
            template.image()
                    .filter(image -> !ignored.contains(ClusterOnlyFeature.IMAGE))
                    .ifPresent(image -> problems.add(type + ".image is \"" + image
                            + "\", but local processes have no image and use the files of this machine; remove it, or"
                            + " build the executor with .ignoringImages()"));
            options.secrets().check(type.id(), template.secretEnv(), problems);
            if (!template.volumes().isEmpty() && !ignored.contains(ClusterOnlyFeature.VOLUME)) {
                problems.add(
                        type + ".volumes mounts " + template.volumes().get(0).mountPath()
                                + ", but local processes have no mounts and use the files of this machine; remove it,"
                                + " or build the executor with .ignoringVolumes()");
            }
        }
        if (!problems.isEmpty()) {
            throw new PlanException(
                    "job \"" + plan.name() + "\" cannot run as local processes: " + String.join("; ", problems));
        }
    }

    private static void program(RoleType type, String program, Path directory, String path, List<String> problems) {
        if (program.contains("$(")
                || ExecutableLookup.find(program, directory, path).isPresent()) {
            return;
        }
        problems.add(type + ".command starts with \"" + program + "\", which is not an executable"
                + (program.contains("/") ? "" : " on the PATH " + path)
                + "; set the name or path of one, for example .command(\"/usr/bin/python3\", \"train.py\")");
    }
}

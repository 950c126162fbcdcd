package dev.edl.operators.controller;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Implementation of {@link ControllerManifest#main}. */
final class ManifestMain {
    private static final String USAGE =
            "IMAGE --namespace NAME | IMAGE --all-namespaces [--namespace NAME], [--kinds LIST]"
                    + " [--config FILE] [--init-container-image IMAGE] [--node-notices] [--no-force-delete] [--metrics] [--memory QUANTITY]"
                    + " [--priority-class NAME] [--max-replicas-per-job N] [--max-replicas-per-namespace N] [--max-replicas N];"
                    + " for example registry.example/edl-controller:1 --namespace team-a";

    private ManifestMain() {}

    /** Prints the manifest and returns empty. If an argument is wrong, prints the mistake and returns the exit code. */
    static Optional<Integer> run(List<String> args, PrintStream out, PrintStream err) throws IOException {
        try {
            out.print(parse(args).toYaml());
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return Optional.of(2);
        }
    }

    private static ControllerManifest parse(List<String> args) throws IOException {
        if (args.isEmpty() || args.get(0).startsWith("--")) {
            throw new IllegalArgumentException("the first argument must be an image: " + USAGE);
        }
        List<String> rest = new ArrayList<>(args.subList(1, args.size()));
        boolean all = rest.remove("--all-namespaces");
        int at = rest.indexOf("--namespace");
        if (!all && (at < 0 || at + 1 == rest.size())) {
            throw new IllegalArgumentException("--namespace or --all-namespaces must be set: " + USAGE);
        }
        ControllerManifest manifest = all
                ? ControllerManifest.allNamespaces(args.get(0))
                : ControllerManifest.of(args.get(0), rest.get(at + 1));
        ReplicaQuotas quotas = ReplicaQuotas.STANDARD;
        for (int i = 0; i < rest.size(); i++) {
            String option = rest.get(i);
            if (option.equals("--node-notices")) {
                manifest = manifest.nodeNotices();
                continue;
            }
            if (option.equals("--no-force-delete")) {
                manifest = manifest.withoutForceDelete();
                continue;
            }
            if (option.equals("--metrics")) {
                manifest = manifest.metrics();
                continue;
            }
            if (i + 1 == rest.size()) {
                throw new IllegalArgumentException(option + " needs a value: " + USAGE);
            }
            String value = rest.get(++i);
            switch (option) {
                case "--namespace" -> manifest = manifest.in(value);
                case "--kinds" -> manifest = manifest.kinds(value.split(",", -1));
                case "--config" -> manifest = manifest.config(Files.readString(Path.of(value)));
                case "--init-container-image" -> manifest = manifest.initContainerImage(value);
                case "--memory" -> manifest = manifest.memory(value);
                case "--priority-class" -> manifest = manifest.priorityClass(value);
                case "--max-replicas-per-job" -> quotas = quotas.perJob(number(option, value));
                case "--max-replicas-per-namespace" -> quotas = quotas.perNamespace(number(option, value));
                case "--max-replicas" -> quotas = quotas.total(number(option, value));
                default -> throw new IllegalArgumentException("unknown option \"" + option + "\": " + USAGE);
            }
        }
        return quotas.equals(ReplicaQuotas.STANDARD) ? manifest : manifest.replicas(quotas);
    }

    private static int number(String option, String value) {
        if (!value.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(
                    option + " must be a number of at least 1, was \"" + value + "\"; for example 1000");
        }
        return Integer.parseInt(value);
    }
}

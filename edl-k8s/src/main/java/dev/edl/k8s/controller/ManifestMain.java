package dev.edl.k8s.controller;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** What {@link ControllerManifest#main} does with its arguments. */
final class ManifestMain {
    private static final String USAGE = "IMAGE [--namespace NAME | --scoped NAME] [--config FILE]"
            + " [--init-container-image IMAGE] [--node-notices]; for example"
            + " registry.example/edl-controller:1 --scoped team-a";

    private ManifestMain() {}

    /** Prints the manifest, or what is wrong; then the exit code is there. */
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
            throw new IllegalArgumentException("an image comes first: " + USAGE);
        }
        ControllerManifest manifest = ControllerManifest.of(args.get(0));
        Iterator<String> rest = args.subList(1, args.size()).iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            if (option.equals("--node-notices")) {
                manifest = manifest.nodeNotices();
                continue;
            }
            if (!rest.hasNext()) {
                throw new IllegalArgumentException(option + " needs a value: " + USAGE);
            }
            String value = rest.next();
            manifest = switch (option) {
                case "--namespace" -> manifest.in(value);
                case "--scoped" -> manifest.scopedTo(value);
                case "--config" -> manifest.config(Files.readString(Path.of(value)));
                case "--init-container-image" -> manifest.initContainerImage(value);
                default -> throw new IllegalArgumentException("unknown option \"" + option + "\": " + USAGE);
            };
        }
        return manifest;
    }
}

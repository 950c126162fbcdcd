package dev.edl.image;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Command that runs a program by its class path. */
final class JavaCommand {
    /** Home of the user. An image need not know the user, and then Java would not know its home. */
    static final String HOME = "/tmp";

    private static final Logger LOG = System.getLogger(JavaCommand.class.getName());

    /** Options whose values are paths. */
    private static final Set<String> PATHS =
            Set.of("--class-path", "--module-path", "--patch-module", "--upgrade-module-path");

    /** Other options of Java 17 that begin with two dashes. */
    private static final Set<String> KNOWN = Set.of(
            "--add-exports",
            "--add-modules",
            "--add-opens",
            "--add-reads",
            "--enable-native-access",
            "--enable-preview",
            "--illegal-access",
            "--limit-modules",
            "--show-module-resolution",
            "--validate-modules");

    private JavaCommand() {}

    /**
     * Checks the options of this JVM before they go to pods, and logs the options that Java 17 does not know.
     *
     * @throws IllegalArgumentException if an option names files of this machine
     */
    static void check(List<String> options) {
        for (String option : options) {
            if (PATHS.contains(name(option))) {
                throw new IllegalArgumentException("JVM option \"" + option
                        + "\" names files of this machine, which pods do not have; put them onto the class path, and"
                        + " start this program without the option");
            }
            if (isNewer(option)) {
                LOG.log(Level.WARNING, () -> "JVM option \"" + option + "\": a pod whose Java is too old ignores it");
            }
        }
    }

    private static boolean isNewer(String option) {
        return option.startsWith("--") && !KNOWN.contains(name(option));
    }

    private static String name(String option) {
        return option.replaceFirst("=.*", "");
    }

    /**
     * Returns the command.
     *
     * @param java name or path of Java
     * @param options options of the JVM
     * @param jars paths of the jars in the container
     * @param main main class and its first arguments
     */
    static List<String> of(String java, List<String> options, List<String> jars, String... main) {
        List<String> command = new ArrayList<>(List.of(java));
        if (options.stream().anyMatch(JavaCommand::isNewer)) {
            // Otherwise an older Java would not start.
            command.add("-XX:+IgnoreUnrecognizedVMOptions");
        }
        command.addAll(options);
        command.add("-Duser.home=" + HOME);
        command.add("-cp");
        command.add(String.join(":", jars));
        command.addAll(List.of(main));
        return command;
    }
}

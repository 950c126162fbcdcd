package dev.edl.image;

import java.util.ArrayList;
import java.util.List;

/** Command that runs a program by its class path. */
final class JavaCommand {
    /** Home of the user. An image need not know the user, and then Java would not know its home. */
    static final String HOME = "/tmp";

    private JavaCommand() {}

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
        command.addAll(options);
        command.add("-Duser.home=" + HOME);
        command.add("-cp");
        command.add(String.join(":", jars));
        command.addAll(List.of(main));
        return command;
    }
}

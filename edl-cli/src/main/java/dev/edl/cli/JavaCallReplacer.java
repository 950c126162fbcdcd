package dev.edl.cli;

import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/** Replaces Java calls in the library's messages by the flags and commands of {@code edl} that do the same. */
final class JavaCallReplacer {
    static final List<Row> ROWS = List.of(
            row("--name", "name\\((TEXT)\\)", "--name $1"),
            row("--framework", "(tensorflow|mxnet|horovod|pytorch)\\(\\)", "--framework $1"),
            row("--image", "image\\((TEXT)\\)", "--image $1"),
            row("--workers", "ps\\((\\w+)\\)\\.workers\\((\\w+)\\)", "--ps $1 --workers $2"),
            // A fraction is a setting of a role, which no flag has.
            row("--priority", "workers\\(4\\)\\.priority\\((TEXT)\\)", "--priority high"),
            row("--ps", "ps\\((\\w+)\\)", "--ps $1"),
            row("--workers", "workers\\((\\w+)\\)", "--workers $1"),
            row("--priority", "priority\\((?:HIGH|\"high\")\\)", "--priority high"),
            row("--request", "request\\((TEXT)\\)", "--request $1"),
            row("--volume", "volume\\((TEXT)\\)", "--volume $1"),
            row("--env", "env\\((TEXT), (TEXT)\\)", "--env $1=$2"),
            row("--namespace", "namespace\\((TEXT)\\)", "--namespace $1"),
            row("--kubeconfig", "KubernetesExecutor\\.fromKubeconfig\\(Path\\.of\\((TEXT)\\)\\)", "--kubeconfig $1"),
            row(
                    "--kubeconfig",
                    "Path\\.of\\(System\\.getProperty\\(\"user\\.home\"\\), \"\\.kube\", \"config\"\\)",
                    "--kubeconfig ~/.kube/config"),
            row("--namespace", "attach\\((TEXT), (TEXT)\\)", "edl attach $2 -n $1"),
            row("--namespace", "delete\\((TEXT), (TEXT)\\)", "edl delete $2 -n $1"),
            row(
                    "--framework",
                    "launcher\\(\\)\\.command\\(\"sh\", \"-c\", (TEXT)\\)",
                    "roles: {launcher: {command: [sh, -c, \"$1\"]}} to its file"),
            row("--file", "(master|scheduler)\\(\\)", "$1 under roles of a file"),
            row("--nodes", "nodes\\((\\d+), (TEXT)\\)", "--nodes $1 --node $2"),
            // Each command has this flag. These settings come from the file, for every command.
            row("--help", "elastic\\(min, max\\)", "elastic"),
            row("--help", "elastic\\((\\d+), (\\d+)\\)", "elastic: {min: $1, max: $2}"));

    /**
     * A Java call and its replacement.
     *
     * @param flag flag that the replacement needs
     * @param call the call, alone and not in a chain of calls
     * @param words replacement, with the groups of the call
     */
    record Row(String flag, Pattern call, String words) {}

    private JavaCallReplacer() {}

    private static Row row(String flag, String call, String words) {
        // A quoted text has the quotes outside of its group.
        String text = call.replace("(TEXT)", "\"([^\"]+)\"");
        return new Row(flag, Pattern.compile("(?<![\\w)])\\.?(?<![\\w)]\\.)" + text + "(?!\\.\\w)"), words);
    }

    /** Returns a message with the flags of a command. A call without such a flag stays. */
    static String translated(String message, CommandSpec command) {
        String text = message;
        for (Row row : ROWS) {
            if (command.findOption(row.flag) != null) {
                text = row.call.matcher(text).replaceAll(row.words);
            }
        }
        return text;
    }
}

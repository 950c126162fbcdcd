package dev.edl.cli.elasticdl;

import dev.edl.InvalidJobException;
import dev.edl.cli.cluster.EndTimeout;
import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.elasticdl.ElasticDlVersion;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Part that the commands {@code train}, {@code evaluate} and {@code predict} share: ElasticDL's flags. */
abstract class ElasticDlRunCommand implements Callable<Integer> {
    /** Versions in the order in which they are tried: a command line without a flag of its own is the newest one's. */
    private static final List<ElasticDlVersion> VERSIONS =
            List.of(ElasticDlVersion.RELEASE_1_0, ElasticDlVersion.JULY_2020, ElasticDlVersion.MARCH_2020);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--elasticdl",
            paramLabel = "VERSION",
            description = "Version of the flags: ${COMPLETION-CANDIDATES}. Default: the newest that has all of them.")
    private @Nullable ElasticDlVersion version;

    @Mixin
    private EndTimeout timeout = new EndTimeout();

    @Unmatched
    private List<String> flags = new ArrayList<>();

    abstract ElasticDlVerb verb();

    /** Parses the flags, and prints a warning for each that is lost. */
    ElasticDlCommand parsed() {
        ElasticDlCommand command = parse();
        ElasticDlLosses.of(command).forEach(loss -> spec.commandLine().getErr().println("warning: " + loss));
        return command;
    }

    /** Warns of settings of pods in a command that starts none. */
    void noPods(ElasticDlCommand command) {
        boolean images = command.job().roles().stream()
                .map(command.job().spec()::effective)
                .anyMatch(role -> role.image().isPresent() || !role.volumes().isEmpty());
        if (images || command.flags().containsKey("image_pull_policy")) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "warning: images and volumes have no effect here: the command starts no pods, and its paths are"
                                    + " those of this machine");
        }
    }

    /** Returns the flags as they were typed. */
    List<String> flags() {
        return List.copyOf(flags);
    }

    Duration timeout() {
        return timeout.limit();
    }

    CommandSpec spec() {
        return spec;
    }

    /** Returns the stream for reports of a training, which overwrite a line on a terminal. */
    PrintStream out() {
        return System.out;
    }

    private ElasticDlCommand parse() {
        if (version != null) {
            return ElasticDlCommand.parse(version, verb(), flags);
        }
        InvalidJobException fewest = null;
        for (ElasticDlVersion each : VERSIONS) {
            try {
                return ElasticDlCommand.parse(each, verb(), flags);
            } catch (InvalidJobException e) {
                if (fewest == null || e.problems().size() < fewest.problems().size()) {
                    fewest = e;
                }
            }
        }
        throw fewest == null ? new IllegalStateException("no version") : fewest;
    }
}

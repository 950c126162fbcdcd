package dev.edl.cli.elasticdl;

import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.runtime.program.TrainingProgram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Main program of the replicas that {@code edl train} starts. Its arguments are the version and the flags of the
 * command line, so each replica composes the same training.
 */
public final class ElasticDlProgram {
    private ElasticDlProgram() {}

    /** Runs the replica that the environment defines, and exits the JVM. */
    public static void main(String[] args) {
        if (!TrainingProgram.isReplica()) {
            System.err.println(
                    "this program is a replica of a job; start one by edl train --model_def=com.acme.Mnist ...");
            System.exit(64);
        }
        ElasticDlCommand command = command(
                ElasticDlVersion.valueOf(args[0]),
                ElasticDlVerb.TRAIN,
                Arrays.asList(args).subList(1, args.length));
        TrainingProgram.run(args, () -> new ElasticDlTraining(command).training());
    }

    /** Parses the flags of a command line of one version. */
    static ElasticDlCommand command(ElasticDlVersion version, ElasticDlVerb verb, List<String> flags) {
        List<String> words = new ArrayList<>(
                version == ElasticDlVersion.MARCH_2020
                        ? List.of("python", "-m", "elasticdl.python.elasticdl.client")
                        : List.of("elasticdl"));
        words.add(verb.toString());
        words.addAll(flags);
        return ElasticDlCommand.parse(version, words);
    }
}

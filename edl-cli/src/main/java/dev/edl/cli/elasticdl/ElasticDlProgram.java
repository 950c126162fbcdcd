package dev.edl.cli.elasticdl;

import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.runtime.program.TrainingProgram;
import java.util.Arrays;

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
        ElasticDlCommand command = ElasticDlCommand.parse(
                ElasticDlVersion.valueOf(args[0]),
                ElasticDlVerb.TRAIN,
                Arrays.asList(args).subList(1, args.length));
        TrainingProgram.run(args, () -> new ElasticDlTraining(command).training());
    }
}

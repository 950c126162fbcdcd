package dev.edl.cli.elasticdl;

import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.runtime.program.TrainingProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Main program of the replicas that {@code edl train}, {@code evaluate} and {@code predict} start. Its arguments are the
 * version, the verb and the flags of the command line, so each replica composes the same work.
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
                ElasticDlVerb.valueOf(args[1]),
                Arrays.asList(args).subList(2, args.length));
        switch (command.verb()) {
            case TRAIN -> TrainingProgram.run(args, () -> new ElasticDlTraining(command).training());
            case EVALUATE ->
                TrainingProgram.evaluate(args, job -> job, () -> opened(new ElasticDlTraining(command)::evaluation));
            case PREDICT ->
                TrainingProgram.predict(args, job -> job, () -> opened(new ElasticDlTraining(command)::prediction));
            default ->
                throw new IllegalArgumentException(
                        "verb must be TRAIN, EVALUATE or PREDICT for a program of replicas, was "
                                + command.verb().name());
        }
    }

    /** Opens the data of a pass. */
    @FunctionalInterface
    private interface Opening<T> {
        T open() throws IOException;
    }

    private static <T> T opened(Opening<T> opening) {
        try {
            return opening.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}

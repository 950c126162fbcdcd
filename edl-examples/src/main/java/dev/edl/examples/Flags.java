package dev.edl.examples;

import dev.edl.InvalidJobException;
import dev.edl.runtime.InvalidTrainingException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Reads an example's flags and runs it; a mistake is a message and an exit code, never a stack trace. */
public final class Flags {
    private Flags() {}

    /**
     * Runs an example.
     *
     * @param example a picocli command
     * @return its exit code; 2 when a flag is wrong, 1 when it failed
     */
    public static int run(Callable<Integer> example, String... args) {
        CommandLine line = new CommandLine(example);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof InvalidJobException
                    || failure instanceof InvalidTrainingException
                    || failure instanceof IllegalArgumentException
                    || failure instanceof IOException) {
                command.getErr().println(failure.getMessage());
                return failure instanceof IOException ? 1 : 2;
            }
            throw failure;
        });
        return line.execute(args);
    }
}

package dev.edl.cli.data;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prepares and transfers data of trainings. */
@Command(
        name = "data",
        description = "Prepares and transfers data of trainings.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RecordIoCommand.class, DataPutCommand.class, DataGetCommand.class})
public final class DataCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Reports that no command was given. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a command is missing; for example edl data recordio --csv data.csv --label y out");
    }
}

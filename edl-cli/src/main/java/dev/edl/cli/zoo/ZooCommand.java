package dev.edl.cli.zoo;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Projects with a training, and their images. */
@Command(
        name = "zoo",
        description = "Creates a project with a training; builds and pushes the image of its program.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ZooInitCommand.class, ZooBuildCommand.class, ZooPushCommand.class})
public final class ZooCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Reports that no command was given. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing; for example edl zoo init mnist");
    }
}

package dev.edl.cli.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Receives files from a claim. */
@Command(
        name = "get",
        description = {
            "Receives a file, or all files below a folder, from a PersistentVolumeClaim.",
            "Files that the folder has with the same SHA-256 do not travel. After an interruption, the same command"
                    + " continues.",
            "A link to a file below the path travels as a copy; another link is refused.",
            "Example: edl data get training-data:models models"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DataGetCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = ClaimTransferOptions.TARGET,
            description = "Claim, and the folder or file below its root. Default: the root.")
    private String source = "";

    @Parameters(index = "1", paramLabel = "FOLDER", description = "Folder of this machine; created if it is absent.")
    private Path folder = Path.of("");

    @Mixin
    private ClaimTransferOptions options = new ClaimTransferOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "FOLDER must be a folder or absent, was \"" + folder + "\", which is a file; for example models");
        }
        return options.run(
                spec.commandLine(),
                source,
                (claim, path, image, limit, progress) -> claim.get(path, folder, image, limit, progress));
    }
}

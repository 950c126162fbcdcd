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

/** Sends files to a claim. */
@Command(
        name = "put",
        description = {
            "Sends a file, or all files below a folder, to a PersistentVolumeClaim.",
            "Files that the claim has with the same SHA-256 do not travel. After an interruption, the same command"
                    + " continues.",
            "A link to a file below the folder travels as a copy; another link is refused.",
            "Example: edl data put mnist training-data:mnist"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DataPutCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FOLDER", description = "Folder or file of this machine.")
    private Path folder = Path.of("");

    @Parameters(
            index = "1",
            paramLabel = ClaimTransferOptions.TARGET,
            description = "Claim, and the folder below its root. Default: the root.")
    private String target = "";

    @Mixin
    private ClaimTransferOptions options = new ClaimTransferOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!Files.exists(folder)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "FOLDER must be a folder or a file that exists, was \"" + folder + "\"; for example mnist");
        }
        return options.run(
                spec.commandLine(),
                target,
                (claim, path, image, limit, progress) -> claim.put(folder, path, image, limit, progress));
    }
}

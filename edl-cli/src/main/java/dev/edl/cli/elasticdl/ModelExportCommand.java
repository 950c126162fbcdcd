package dev.edl.cli.elasticdl;

import dev.edl.runtime.TrainedModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a checkpoint or an exported model to a file of another format. */
@Command(
        name = "export",
        description = {
            "Writes a checkpoint or an exported model to a file for other programs, by the file's ending: .onnx,"
                    + " .safetensors or .npz.",
            "Example: edl export --model_def=com.acme.Mnist checkpoints mnist.onnx"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ModelExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--model_def",
            paramLabel = "NAME",
            required = true,
            description = "Class that implements ModelDefinition, or a network of ElasticDL's zoo, as of edl train.")
    private String definition = "";

    @Parameters(
            index = "0",
            paramLabel = "FROM",
            description = "A checkpoint, a folder of checkpoints, of which the newest valid one is read, or an .npz or"
                    + " .safetensors file.")
    private Path from = Path.of("");

    @Parameters(index = "1", paramLabel = "FILE", description = "File to write; a valid file replaces it at once.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws IOException {
        TrainedModel model =
                TrainedModel.load(from).using(ModelDefinitions.named(definition).model());
        model.export(file);
        spec.commandLine()
                .getOut()
                .println("wrote " + file
                        + (model.version() == TrainedModel.UNKNOWN_VERSION ? "" : " of version " + model.version()));
        return 0;
    }
}

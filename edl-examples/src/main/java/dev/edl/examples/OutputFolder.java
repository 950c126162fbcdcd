package dev.edl.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Folder to which an example writes its files.
 *
 * @param folder path of the folder, as the user specified it
 */
public record OutputFolder(Path folder) {
    private static final String CHECKPOINT = "version-";

    /**
     * Creates the folder and checks that it is writable. Unless a run is resumed, it deletes the files of an earlier
     * run. Otherwise the earlier checkpoints would be newer than those of the new run, and the events of both would be
     * mixed.
     *
     * @param folder the value of {@code --output}
     * @param resume whether the run resumes from the newest checkpoint in the folder
     * @param more names of files that the example writes in addition to the common ones
     * @throws IllegalArgumentException when the path cannot be that of a writable folder, or when {@code resume} is set
     *     and the folder has no checkpoint
     */
    public static OutputFolder prepare(Path folder, boolean resume, List<String> more) throws IOException {
        OutputFolder output = new OutputFolder(folder);
        for (Path at = folder.toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at) && !Files.isDirectory(at)) {
                throw OutputFolder.refused(folder, at + " is a file");
            }
        }
        if (resume && OutputFolder.in(output.checkpoints(), CHECKPOINT).isEmpty()) {
            throw new IllegalArgumentException("--resume needs a checkpoint to go on from, but there is none in "
                    + output.checkpoints() + "; run without --resume first");
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw OutputFolder.refused(folder, e.toString());
        }
        if (!Files.isWritable(folder)) {
            throw OutputFolder.refused(folder, "it cannot be written");
        }
        if (!resume) {
            output.clear();
            for (String name : more) {
                Files.deleteIfExists(output.file(name));
            }
        }
        return output;
    }

    private static IllegalArgumentException refused(Path folder, String why) {
        return new IllegalArgumentException("--output must be a folder that can be written, for example --output"
                + " edl-out/digits, was \"" + folder + "\": " + why);
    }

    private void clear() throws IOException {
        for (Path checkpoint : OutputFolder.in(checkpoints(), CHECKPOINT)) {
            for (Path file : OutputFolder.in(checkpoint, "")) {
                Files.delete(file);
            }
            Files.delete(checkpoint);
        }
        for (Path events : OutputFolder.in(events(), "events.out.tfevents.")) {
            Files.delete(events);
        }
        for (Path log : OutputFolder.in(logs(), "")) {
            Files.delete(log);
        }
        Files.deleteIfExists(model());
        Files.deleteIfExists(picture());
    }

    private static List<Path> in(Path folder, String prefix) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(child -> String.valueOf(child.getFileName()).startsWith(prefix))
                    .toList();
        }
    }

    /** Returns the folder of checkpoints. */
    public Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    /** Returns the path of a file in the folder. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Returns the file of the trained model. */
    public Path model() {
        return file("model.npz");
    }

    /** Returns the folder of TensorBoard's event files. */
    public Path events() {
        return folder.resolve("events");
    }

    /** Returns the folder of the replicas' logs, if the replicas are processes. */
    public Path logs() {
        return folder.resolve("logs");
    }

    /** Returns the file of the chart of loss and metric over steps. */
    public Path picture() {
        return file("training.png");
    }
}

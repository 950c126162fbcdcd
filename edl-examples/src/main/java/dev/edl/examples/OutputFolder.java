package dev.edl.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder that an example writes to.
 *
 * @param folder its path, as given
 */
public record OutputFolder(Path folder) {
    private static final String CHECKPOINT = "version-";

    /**
     * Makes the folder and sees that it can be written. Unless a run is resumed, what an earlier run left there is
     * removed: its checkpoints would else be newer than the new run's own, and its events be drawn over the new ones.
     *
     * @param folder the value of {@code --output}
     * @param resume whether a run goes on from the newest checkpoint in the folder
     * @param more names of files that the example writes beside those that every example does
     * @throws IllegalArgumentException when it cannot be a folder, or there is no checkpoint to go on from
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

    /** Where checkpoints and the task journal are kept. */
    public Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    /** A file in the folder. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** The trained model. */
    public Path model() {
        return file("model.npz");
    }

    /** The folder that TensorBoard is pointed to. */
    public Path events() {
        return folder.resolve("events");
    }

    /** What each replica wrote that is a process of its own. */
    public Path logs() {
        return folder.resolve("logs");
    }

    /** Loss and accuracy over steps. */
    public Path picture() {
        return file("training.png");
    }
}

package dev.edl.runtime.engine.files;

import dev.edl.runtime.internal.files.DirectorySync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Moves aside the checkpoints of a directory that are newer than the run's starting checkpoint. They belong to a
 * training that its user abandoned. Otherwise they would stay the newest ones, and a later run would resume from them
 * by mistake. Also moves aside checkpoints whose run is unknown.
 */
public final class SupersededCheckpointMover {
    /**
     * Folder in the checkpoint directory to which checkpoints are moved; no search for the newest one looks into it.
     */
    static final String FOLDER = "abandoned";

    private static final System.Logger LOG = System.getLogger(SupersededCheckpointMover.class.getName());
    private static final Pattern NAME = Pattern.compile("version-(\\d{1,18})(?:-(\\d{1,9}))?");

    private SupersededCheckpointMover() {}

    /**
     * A checkpoint.
     *
     * @param again 1 for the first checkpoint of its version, 2 for the second, and so on
     */
    private record Entry(Path path, long version, int again) {
        private static final Comparator<Entry> ORDER =
                Comparator.comparingLong(Entry::version).thenComparingInt(Entry::again);

        static Optional<Entry> of(Path path) {
            Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
            if (!name.matches()) {
                return Optional.empty();
            }
            String again = name.group(2);
            return Optional.of(
                    new Entry(path, Long.parseLong(name.group(1)), again == null ? 1 : Integer.parseInt(again)));
        }
    }

    /**
     * Moves the checkpoints that are newer than {@code from} aside. Begins with the newest, because a crash may leave
     * the others in place.
     *
     * @return the new paths of the moved checkpoints
     */
    public static List<Path> moveAside(Path directory, Path from) throws IOException {
        Entry start = Entry.of(from).orElseThrow();
        List<Entry> newer = entries(directory).stream()
                .filter(entry -> Entry.ORDER.compare(entry, start) > 0)
                .toList();
        List<Path> moved = move(directory, newer);
        if (!moved.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the training resumes from " + from + "; newer checkpoints in its directory were moved to "
                            + moved);
        }
        return moved;
    }

    /** Moves all checkpoints of a directory aside, the newest first; returns their new paths. */
    static List<Path> moveAllAside(Path directory) throws IOException {
        return move(directory, entries(directory));
    }

    /** Returns the checkpoints of a directory, the newest first. */
    private static List<Entry> entries(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.flatMap(path -> Entry.of(path).stream())
                    .sorted(Entry.ORDER.reversed())
                    .toList();
        }
    }

    private static List<Path> move(Path directory, List<Entry> entries) throws IOException {
        List<Path> moved = new ArrayList<>();
        Path folder = directory.resolve(FOLDER);
        for (Entry entry : entries) {
            DirectorySync.create(folder);
            Path target = folder.resolve("version-" + entry.version);
            for (int i = 2; Files.exists(target); i++) {
                target = folder.resolve("version-" + entry.version + "-" + i);
            }
            moved.add(Files.move(entry.path, target));
        }
        if (!moved.isEmpty()) {
            // The new names first: after a crash of the machine a checkpoint has both names rather than none.
            DirectorySync.force(folder);
            DirectorySync.force(directory);
        }
        return moved;
    }
}

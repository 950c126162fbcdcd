package dev.edl.runtime.engine.files;

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
 * Checkpoints that are newer than the one that a run goes on from, in the same directory: of a line of training that its
 * user has left. They would stay the newest ones, so that a later run would go on from them unasked.
 */
public final class AbandonedCheckpoints {
    /** Where they go, in the directory of checkpoints, which does not look there. */
    static final String FOLDER = "abandoned";

    private static final System.Logger LOG = System.getLogger(AbandonedCheckpoints.class.getName());
    private static final Pattern NAME = Pattern.compile("version-(\\d{1,18})(?:-(\\d{1,9}))?");

    private AbandonedCheckpoints() {}

    /** As they follow each other: by version, and then by how often that was written. */
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
     * Moves what is newer than a checkpoint of the directory out of the way, the newest first, so that after a crash in
     * between none of them is taken for the newest either.
     *
     * @return where they are now
     */
    public static List<Path> moveAside(Path directory, Path from) throws IOException {
        Entry start = Entry.of(from).orElseThrow();
        List<Entry> newer;
        try (Stream<Path> children = Files.list(directory)) {
            newer = children.flatMap(path -> Entry.of(path).stream())
                    .filter(entry -> Entry.ORDER.compare(entry, start) > 0)
                    .sorted(Entry.ORDER.reversed())
                    .toList();
        }
        List<Path> moved = new ArrayList<>();
        for (Entry entry : newer) {
            Path folder = Files.createDirectories(directory.resolve(FOLDER));
            Path target = folder.resolve("version-" + entry.version);
            for (int i = 2; Files.exists(target); i++) {
                target = folder.resolve("version-" + entry.version + "-" + i);
            }
            moved.add(Files.move(entry.path, target));
        }
        if (!moved.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the training goes on from " + from + "; newer checkpoints in its directory were moved to "
                            + moved);
        }
        return moved;
    }
}

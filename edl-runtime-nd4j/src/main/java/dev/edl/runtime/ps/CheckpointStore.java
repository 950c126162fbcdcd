package dev.edl.runtime.ps;

import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.files.ChecksummedInput;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory of checkpoints. Each is a directory {@code version-<V>} with one file per shard and a manifest.
 *
 * <p>A checkpoint is written under a hidden name, synced to disk, and then renamed, so that a crash at any moment
 * leaves earlier checkpoints intact. Nothing is ever overwritten: a second checkpoint of the same version becomes
 * {@code version-<V>-2}, and counts as newer. Every file ends with a CRC-32C of its content. The manifest holds the
 * checksum of every shard file.
 *
 * <p>Any file system works. If it cannot rename a directory atomically, the files are moved one by one, the manifest
 * last. A crash may then leave a directory without a complete manifest, which is not a checkpoint and which {@link
 * #latest} skips. Durability after a machine crash depends on the file system, because only channels of class {@code
 * FileChannel} can be forced.
 *
 * <p>A checkpoint loads into any number of shards if its shards hold the same pushes. They differ for a while after a
 * shard was restored from an older checkpoint, or after a worker died during a push. Until those minibatches are
 * redone, the checkpoint loads only into its own number of shards. With an optimizer that counts its updates (Adam),
 * the shards must also have made the same number of updates. Synchronous shards may differ in this after such a loss.
 *
 * <p>One process writes to a directory at a time, from one thread at a time; any number of processes may read. An
 * interrupted thread can save and load, and stays interrupted.
 *
 * <pre>{@code
 * CheckpointStore store = new CheckpointStore(Path.of("checkpoints"), 3);
 * store.save(group.cut(), layout, Map.of("epoch", "17"));
 * Optional<Checkpoint> newest = store.latest(System.err::println);
 * }</pre>
 */
public final class CheckpointStore {
    private static final Pattern NAME = Pattern.compile("version-(\\d{1,18})(?:-(\\d{1,9}))?");
    private static final String HIDDEN = ".checkpoint-";

    private final Path directory;
    private final int keepMax;
    private final CheckpointFiles files;

    /**
     * Creates a store in a directory; if it does not exist, the first {@link #save} creates it.
     *
     * @param keepMax number of newest checkpoints to keep; 0 keeps all
     */
    public CheckpointStore(Path directory, int keepMax) {
        this(directory, keepMax, CheckpointFiles.REAL);
    }

    CheckpointStore(Path directory, int keepMax, CheckpointFiles files) {
        if (keepMax < 0) {
            throw new IllegalArgumentException(
                    "the number of checkpoints to keep must be at least 0 (0 keeps all), was " + keepMax);
        }
        this.directory = directory;
        this.keepMax = keepMax;
        this.files = files;
    }

    /**
     * Writes a checkpoint and then removes the oldest ones beyond the limit; the new one always stays. Up to four
     * shards are written in parallel, three of them by threads that end before this method returns.
     *
     * @param layout the parameters that the shards hold
     * @param metadata opaque entries of the caller
     * @return the checkpoint's directory
     * @throws IllegalArgumentException when the layout is of another size than the shards
     */
    public Path save(ShardCut cut, ParameterLayout layout, Map<String, String> metadata) throws IOException {
        if (layout.size() != cut.size()) {
            throw new IllegalArgumentException(
                    "a layout of " + layout.size() + " floats does not fit shards of " + cut.size());
        }
        files.createDirectory(directory);
        removeHidden();
        Path hidden = directory.resolve(HIDDEN + "new");
        files.createDirectory(hidden);
        int count = cut.shards().size();
        List<ParallelWrites.Write<ChecksummedOutput.Seal>> writes = new ArrayList<>();
        for (ShardSnapshot shard : cut.shards()) {
            Path file = hidden.resolve(ShardFile.name(shard.range().index(), count));
            writes.add(() -> files.write(file, out -> ShardFile.write(shard, out)));
        }
        List<ChecksummedOutput.Seal> seals = ParallelWrites.all(writes);
        CheckpointManifest manifest =
                new CheckpointManifest(layout, cut.shards().get(0).tables(), metadata, seals);
        files.write(hidden.resolve(CheckpointManifest.FILE), manifest::write);
        files.sync(hidden);
        Path target = directory.resolve(freeName(cut.version()));
        publish(hidden, target);
        files.sync(directory);
        prune(target);
        return target;
    }

    private void publish(Path hidden, Path target) throws IOException {
        try {
            files.move(hidden, target);
        } catch (AtomicMoveNotSupportedException e) {
            files.createDirectory(target);
            // The manifest is the commit: a directory without it is not a checkpoint.
            for (Path part : parts(hidden)) {
                files.moveFile(part, target.resolve(name(part)));
            }
            files.sync(target);
            files.delete(hidden);
        }
    }

    /** Returns the files of a checkpoint, the manifest last. */
    private static List<Path> parts(Path checkpoint) throws IOException {
        try (Stream<Path> children = Files.list(checkpoint)) {
            return children.sorted(Comparator.comparing(path -> name(path).equals(CheckpointManifest.FILE)))
                    .toList();
        }
    }

    private String freeName(long version) throws IOException {
        String name = "version-" + version;
        int again = entries().stream()
                .filter(entry -> entry.version == version)
                .mapToInt(entry -> entry.again + 1)
                .max()
                .orElse(1);
        return again == 1 ? name : name + "-" + again;
    }

    private void prune(Path written) throws IOException {
        List<Entry> entries = entries();
        int tooMany = keepMax == 0 ? 0 : entries.size() - keepMax;
        // Keep the new checkpoint even if a rolled-back run left higher versions behind.
        List<Path> others = entries.stream()
                .map(Entry::path)
                .filter(path -> !path.equals(written))
                .toList();
        for (int i = 0; i < tooMany; i++) {
            removeOld(others.get(i));
        }
    }

    /** Hides the checkpoint atomically before its removal, so that no reader finds a partly removed one. */
    private void removeOld(Path checkpoint) throws IOException {
        Path hidden = directory.resolve(HIDDEN + "old");
        try {
            files.move(checkpoint, hidden);
            remove(hidden);
        } catch (AtomicMoveNotSupportedException e) {
            remove(checkpoint);
        }
    }

    /** Removes hidden directories that a crash left behind. */
    private void removeHidden() throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            for (Path child :
                    children.filter(path -> name(path).startsWith(HIDDEN)).toList()) {
                remove(child);
            }
        }
    }

    private void remove(Path checkpoint) throws IOException {
        List<Path> parts = parts(checkpoint);
        for (int i = parts.size() - 1; i >= 0; i--) {
            files.delete(parts.get(i));
        }
        files.delete(checkpoint);
    }

    /**
     * Returns the newest complete checkpoint.
     *
     * @param skipped receives a message about each newer, incomplete one
     * @return empty if there is none
     */
    public Optional<Checkpoint> latest(Consumer<String> skipped) throws IOException {
        List<Entry> entries = entries();
        for (int i = entries.size() - 1; i >= 0; i--) {
            try {
                return Optional.of(load(entries.get(i).path));
            } catch (CheckpointException e) {
                skipped.accept(e.getMessage());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether a path names one checkpoint, for example {@code version-12}. A directory of checkpoints with such
     * a name does not count.
     */
    public static boolean isCheckpoint(Path path) throws IOException {
        return NAME.matcher(name(path)).matches()
                && new CheckpointStore(path, 0).entries().isEmpty();
    }

    /**
     * Reads a checkpoint.
     *
     * @param checkpoint the checkpoint's directory, for example {@code checkpoints/version-12}
     * @throws CheckpointException when it does not exist or is damaged; names the checkpoint, the file and the problem
     */
    public static Checkpoint load(Path checkpoint) throws IOException {
        String name = name(checkpoint);
        if (!Files.isDirectory(checkpoint)) {
            throw new CheckpointException("no checkpoint at " + checkpoint);
        }
        try {
            CheckpointManifest manifest = readManifest(checkpoint.resolve(CheckpointManifest.FILE));
            int count = manifest.seals().size();
            List<ShardSnapshot> shards = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                shards.add(readShard(checkpoint.resolve(ShardFile.name(i, count)), manifest, i));
            }
            return new Checkpoint(name, manifest.layout(), new ShardCut(shards), manifest.metadata());
        } catch (CheckpointException | IllegalArgumentException e) {
            throw new CheckpointException("checkpoint " + name + " is damaged: " + e.getMessage());
        }
    }

    private static CheckpointManifest readManifest(Path file) throws IOException {
        try (ChecksummedInput in = ChecksummedInput.open(file)) {
            return CheckpointManifest.read(in);
        }
    }

    private static ShardSnapshot readShard(Path file, CheckpointManifest manifest, int index) throws IOException {
        try (ChecksummedInput in = ChecksummedInput.open(file)) {
            if (!in.seal().equals(manifest.seals().get(index))) {
                throw in.damaged("belongs to another checkpoint than its manifest");
            }
            return ShardFile.read(in, manifest.tables(), manifest.seals().size(), range -> true);
        }
    }

    /** Returns the checkpoints, oldest first. */
    private List<Entry> entries() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.flatMap(path -> Entry.of(path).stream())
                    .sorted(Comparator.comparingLong((Entry e) -> e.version).thenComparingInt(e -> e.again))
                    .toList();
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /** Returns the text for people, for example {@code checkpoints in /tmp/checkpoints, the newest 3 kept}. */
    @Override
    public String toString() {
        return "checkpoints in " + directory + (keepMax == 0 ? ", all kept" : ", the newest " + keepMax + " kept");
    }

    private record Entry(Path path, long version, int again) {
        static Optional<Entry> of(Path path) {
            Matcher matcher = NAME.matcher(name(path));
            if (!matcher.matches() || !Files.isDirectory(path)) {
                return Optional.empty();
            }
            String again = matcher.group(2);
            return Optional.of(
                    new Entry(path, Long.parseLong(matcher.group(1)), again == null ? 1 : Integer.parseInt(again)));
        }
    }
}

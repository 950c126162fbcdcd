package dev.edl.runtime.nio;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.nio.StepFileSystem.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Disk in memory that remembers each sync. It passes a test each disk that a loss of power could leave, at each
 * step of the file system.
 *
 * <p>A loss keeps the bytes that a file had at its last sync. It keeps later bytes as well, a part of them, zeros in
 * their place, or none. It keeps the entries that a directory had at its last sync, and any of the later creations,
 * renames and deletions without the others. A rename within a directory is done or not. A rename into another
 * directory is done or not until one of the two is synced; then that one has it.
 */
public final class PowerLoss implements AutoCloseable {
    /** Most changes whose subsets are all tried; with more, a subset lacks or has one change, or is a head or tail. */
    private static final int ALL_SUBSETS = 5;

    private final FileSystem memory = Jimfs.newFileSystem(Configuration.unix());
    private final Path root = memory.getPath("/disk");
    private final Path disk;
    private final Object rootKey;
    private final boolean renamesDirectories;

    /** Entries of each directory by the key of the directory, as programs see them: the key of each file by name. */
    private Map<Object, Map<String, Object>> entries = new HashMap<>();
    /** Bytes of each file by key, as programs see them, one character for each byte. */
    private final Map<Object, String> bytes = new HashMap<>();

    private final Map<Object, Map<String, Object>> syncedEntries = new HashMap<>();
    private final Map<Object, String> syncedBytes = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Moment> moments = new ArrayList<>();
    private int done;

    /**
     * Makes an empty disk.
     *
     * @param renamesDirectories whether it can rename atomically
     */
    public PowerLoss(boolean renamesDirectories) throws IOException {
        this.renamesDirectories = renamesDirectories;
        Files.createDirectory(root);
        rootKey = key(root);
        entries.put(rootKey, Map.of());
        disk = StepFileSystem.path(root, this::before);
    }

    /** Returns the root directory of the disk. */
    public Path disk() {
        return disk;
    }

    /** Notes that the test's next promise holds from here on, for example that a file is durable. */
    public synchronized void done() throws IOException {
        done++;
        look("the end of part " + done);
    }

    private synchronized void before(Step step, Path path) throws IOException {
        look(step + " of " + path);
        if (step == Step.FORCE) {
            sync(key(StepPath.stored(path)));
        }
        if (step == Step.ATOMIC_MOVE && !renamesDirectories) {
            throw new AtomicMoveNotSupportedException(path.toString(), null, "no atomic rename");
        }
    }

    /** Finds the changes since the last call, and keeps the moment. */
    private void look(String what) throws IOException {
        Map<Object, Map<String, Object>> now = new HashMap<>();
        walk(root, now);
        Map<Object, Place> gone = new LinkedHashMap<>();
        entries.forEach((directory, names) -> names.forEach((name, key) -> {
            if (!key.equals(now.getOrDefault(directory, Map.of()).get(name))) {
                gone.put(key, new Place(directory, name));
            }
        }));
        now.forEach((directory, names) -> names.forEach((name, key) -> {
            if (!key.equals(entries.getOrDefault(directory, Map.of()).get(name))) {
                changes.add(new Change(key, gone.remove(key), new Place(directory, name)));
            }
        }));
        gone.forEach((key, from) -> {
            // A rename that replaces a file deletes it.
            if (!now.getOrDefault(from.directory, Map.of()).containsKey(from.name)) {
                changes.add(new Change(key, from, null));
            }
        });
        entries = now;
        moments.add(new Moment(
                "before " + what,
                done,
                copy(syncedEntries),
                Map.copyOf(syncedBytes),
                List.copyOf(changes),
                Map.copyOf(bytes)));
    }

    private void walk(Path directory, Map<Object, Map<String, Object>> into) throws IOException {
        Map<String, Object> names = new TreeMap<>();
        into.put(key(directory), names);
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
            for (Path child : children) {
                Object key = key(child);
                names.put(child.getFileName().toString(), key);
                if (Files.isDirectory(child)) {
                    walk(child, into);
                } else {
                    bytes.put(key, Files.readString(child, StandardCharsets.ISO_8859_1));
                }
            }
        }
    }

    private static Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    private void sync(Object key) {
        String content = bytes.get(key);
        if (content != null) {
            syncedBytes.put(key, content);
            return;
        }
        List<Change> before = List.copyOf(changes);
        changes.clear();
        for (Change change : before) {
            if (change.to != null && change.to.directory.equals(key)) {
                boolean within = change.from == null || change.from.directory.equals(key);
                (within ? change : new Change(change.key, null, change.to)).on(syncedEntries);
                if (!within) {
                    changes.add(new Change(change.key, change.from, null));
                }
            } else if (change.to == null && change.from != null && change.from.directory.equals(key)) {
                change.on(syncedEntries);
            } else {
                changes.add(change);
            }
        }
        Set<Object> named = new HashSet<>(List.of(rootKey));
        syncedEntries.values().forEach(names -> named.addAll(names.values()));
        changes.forEach(change -> named.add(change.key));
        changes.removeIf(change -> !change.isIn(named));
    }

    private static Map<Object, Map<String, Object>> copy(Map<Object, Map<String, Object>> entries) {
        Map<Object, Map<String, Object>> copy = new HashMap<>();
        entries.forEach((directory, names) -> copy.put(directory, new TreeMap<>(names)));
        return copy;
    }

    /** Check of a disk after a loss of power. */
    @FunctionalInterface
    public interface Check {
        /**
         * Throws if the disk breaks a promise.
         *
         * @param done number of calls of {@link PowerLoss#done()} before the loss
         */
        void of(Path disk, int done) throws Exception;
    }

    /**
     * Checks each disk that a loss of power could have left so far.
     *
     * @return the number of different disks
     */
    public synchronized int check(Check check) throws IOException {
        Map<Image, String> images = new LinkedHashMap<>();
        moments.forEach(moment -> moment.images(rootKey, images));
        int count = 0;
        for (Map.Entry<Image, String> each : images.entrySet()) {
            try (FileSystem restored = Jimfs.newFileSystem(Configuration.unix())) {
                Path to = Files.createDirectory(restored.getPath("/disk"));
                each.getKey().write(to);
                check.of(to, each.getKey().done);
                count++;
            } catch (AssertionError | Exception e) {
                throw new AssertionError(
                        "after a loss of power " + each.getValue() + " that left "
                                + each.getKey().files.keySet() + ": " + e,
                        e);
            }
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }

    private record Place(Object directory, String name) {}

    /** Creation (without {@code from}), deletion (without {@code to}) or rename of a file or directory. */
    private record Change(
            Object key, @Nullable Place from, @Nullable Place to) {
        void on(Map<Object, Map<String, Object>> entries) {
            if (from != null) {
                entries.computeIfAbsent(from.directory, any -> new TreeMap<>()).remove(from.name, key);
            }
            if (to != null) {
                entries.computeIfAbsent(to.directory, any -> new TreeMap<>()).put(to.name, key);
            }
        }

        boolean isIn(Set<Object> directories) {
            return (from != null && directories.contains(from.directory))
                    || (to != null && directories.contains(to.directory));
        }
    }

    /** Effect of a loss on the bytes after the last sync. */
    private enum Loss {
        NOTHING,
        ALL,
        HALF,
        ZEROS;

        String of(String synced, String live) {
            if (live.equals(synced)) {
                return live;
            }
            return switch (this) {
                case NOTHING -> live;
                case ALL -> synced;
                case HALF -> live.substring(0, live.length() / 2);
                case ZEROS -> "\0".repeat(live.length());
            };
        }
    }

    /** State between two steps. */
    private record Moment(
            String what,
            int done,
            Map<Object, Map<String, Object>> syncedEntries,
            Map<Object, String> syncedBytes,
            List<Change> changes,
            Map<Object, String> bytes) {
        void images(Object root, Map<Image, String> into) {
            for (BitSet kept : subsets(changes.size())) {
                Map<Object, Map<String, Object>> entries = copy(syncedEntries);
                kept.stream().forEach(i -> changes.get(i).on(entries));
                for (Loss loss : Loss.values()) {
                    SortedMap<String, String> files = new TreeMap<>();
                    fill(root, "", entries, loss, files);
                    into.putIfAbsent(
                            new Image(done, files),
                            what + " with the changes " + kept + " of " + changes.size() + " and loss of " + loss);
                }
            }
        }

        private void fill(
                Object directory,
                String path,
                Map<Object, Map<String, Object>> entries,
                Loss loss,
                SortedMap<String, String> into) {
            entries.getOrDefault(directory, Map.of()).forEach((name, key) -> {
                String live = bytes.get(key);
                if (live != null) {
                    into.put(path + name, loss.of(syncedBytes.getOrDefault(key, ""), live));
                } else {
                    into.put(path + name + "/", "");
                    fill(key, path + name + "/", entries, loss, into);
                }
            });
        }
    }

    private static Set<BitSet> subsets(int of) {
        Set<BitSet> subsets = new LinkedHashSet<>();
        if (of <= ALL_SUBSETS) {
            IntStream.range(0, 1 << of).forEach(bits -> subsets.add(BitSet.valueOf(new long[] {bits})));
            return subsets;
        }
        for (int i = 0; i <= of; i++) {
            for (int end : new int[] {i + 1, of}) {
                BitSet some = new BitSet();
                some.set(i, Math.min(end, of));
                subsets.add(some);
                BitSet others = new BitSet();
                others.set(0, of);
                others.andNot(some);
                subsets.add(others);
            }
        }
        return subsets;
    }

    /** Disk after a loss: the bytes of each file by path; the path of a directory ends with a slash. */
    private record Image(int done, SortedMap<String, String> files) {
        void write(Path to) {
            files.forEach((path, content) -> {
                try {
                    if (path.endsWith("/")) {
                        Files.createDirectory(to.resolve(path));
                    } else {
                        Files.writeString(to.resolve(path), content, StandardCharsets.ISO_8859_1);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}

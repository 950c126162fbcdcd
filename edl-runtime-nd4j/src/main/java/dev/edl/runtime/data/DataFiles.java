package dev.edl.runtime.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selects the files of a dataset; one rule for all formats. For readers of further formats. */
public final class DataFiles {
    private DataFiles() {}

    /**
     * Returns the file itself, or the files of a directory in the order of their names.
     *
     * <p>Like Hadoop's {@code FileInputFormat}, it ignores subdirectories and files whose name starts with a dot or
     * {@code _}.
     *
     * @param format name of the file format for messages, for example {@code RecordIO}
     */
    public static List<Path> of(Path path, String format) throws IOException {
        if (Files.notExists(path)) {
            throw new NoSuchFileException(path.toString(), null, "there is no such " + format + " file or directory");
        }
        return Files.isDirectory(path) ? in(path, format) : List.of(path);
    }

    /** Returns the path after checking that it names an existing file and not a directory. */
    public static Path file(Path file, String format) throws IOException {
        if (Files.notExists(file)) {
            throw new NoSuchFileException(file.toString(), null, "there is no such " + format + " file");
        }
        if (Files.isDirectory(file)) {
            throw new IOException(file + ": is a directory; name one " + format + " file in it");
        }
        return file;
    }

    /** Returns the files by shard name, in the order of the list. */
    public static Map<String, Path> named(List<Path> files) {
        if (files.isEmpty()) {
            throw new IllegalArgumentException("a dataset needs at least one file, was 0 files");
        }
        Map<String, Path> named = new LinkedHashMap<>();
        for (Path file : files) {
            Path other = named.putIfAbsent(nameOf(file), file);
            if (other != null) {
                throw new IllegalArgumentException(
                        "two files of one dataset must not have the same name, was " + other + " and " + file);
            }
        }
        return named;
    }

    /** Returns the last part of a path, which is the name of its shard. */
    public static String nameOf(Path file) {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }

    private static List<Path> in(Path directory, String format) throws IOException {
        List<Path> all;
        try (Stream<Path> listing = Files.list(directory)) {
            all = listing.sorted(Comparator.comparing(DataFiles::nameOf)).toList();
        }
        List<Path> entries = all.stream().filter(p -> !isLeftOut(p)).toList();
        List<Path> files = entries.stream().filter(p -> !Files.isDirectory(p)).toList();
        if (files.isEmpty()) {
            throw new IOException(directory + ": there is no " + format + " file in this directory"
                    + only(", only directories: ", entries)
                    + only(
                            "; names that start with a dot or _ are ignored: ",
                            all.stream().filter(DataFiles::isLeftOut).toList()));
        }
        return files;
    }

    private static boolean isLeftOut(Path file) {
        return nameOf(file).startsWith(".") || nameOf(file).startsWith("_");
    }

    private static String only(String what, List<Path> files) {
        return files.isEmpty()
                ? ""
                : what + files.stream().map(DataFiles::nameOf).collect(Collectors.joining(", "));
    }
}

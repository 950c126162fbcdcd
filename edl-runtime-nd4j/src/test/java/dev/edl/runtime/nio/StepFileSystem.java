package dev.edl.runtime.nio;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/**
 * File system that stores everything in another one and calls a test before each step, which may wait or throw.
 *
 * <p>Limits: its paths have the text of the other file system's; no links, no watch service, no account look-up.
 */
public final class StepFileSystem extends FileSystem {
    private final FileSystem stored;
    private final StepProvider provider;

    private StepFileSystem(FileSystem stored, Steps steps) {
        this.stored = stored;
        this.provider = new StepProvider(steps);
    }

    /** Operation of a file system. */
    public enum Step {
        /** A {@code FileChannel} is opened. */
        FILE_CHANNEL,
        /** A {@code FileChannel} is forced to the disk. */
        FORCE,
        /** A {@code FileChannel} is locked. */
        LOCK,
        /** Another channel is opened. */
        CHANNEL,
        /** A directory is created. */
        CREATE_DIRECTORY,
        /** A file or directory is renamed atomically. */
        ATOMIC_MOVE,
        /** A file or directory is renamed. */
        MOVE,
        /** A file or directory is deleted. */
        DELETE
    }

    /** Callback before each step. */
    @FunctionalInterface
    public interface Steps {
        /** Waits, throws, or returns so that the step is executed. */
        void before(Step step, Path path) throws IOException;
    }

    /** Returns the corresponding path in a file system that calls a test. */
    public static Path path(Path path, Steps steps) {
        return new StepPath(new StepFileSystem(path.getFileSystem(), steps), path);
    }

    Path wrap(Path path) {
        return new StepPath(this, path);
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("a test's file system is not closed");
    }

    @Override
    public boolean isOpen() {
        return stored.isOpen();
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return stored.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic");
    }

    @Override
    public Path getPath(String first, String... more) {
        return wrap(stored.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        PathMatcher matcher = stored.getPathMatcher(pattern);
        return path -> matcher.matches(StepPath.stored(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException("no account look-up");
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("no watch service");
    }
}

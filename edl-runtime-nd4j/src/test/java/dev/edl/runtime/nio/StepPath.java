package dev.edl.runtime.nio;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path of a {@link StepFileSystem}. */
final class StepPath implements Path {
    private final StepFileSystem system;
    private final Path stored;

    StepPath(StepFileSystem system, Path stored) {
        this.system = system;
        this.stored = stored;
    }

    static Path stored(Path path) {
        return path instanceof StepPath step ? step.stored : path;
    }

    private @Nullable Path wrap(@Nullable Path path) {
        return path == null ? null : system.wrap(path);
    }

    @Override
    public FileSystem getFileSystem() {
        return system;
    }

    @Override
    public boolean isAbsolute() {
        return stored.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return wrap(stored.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return wrap(stored.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return wrap(stored.getParent());
    }

    @Override
    public int getNameCount() {
        return stored.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return system.wrap(stored.getName(index));
    }

    @Override
    public Path subpath(int begin, int end) {
        return system.wrap(stored.subpath(begin, end));
    }

    @Override
    public boolean startsWith(Path other) {
        return stored.startsWith(stored(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return stored.endsWith(stored(other));
    }

    @Override
    public Path normalize() {
        return system.wrap(stored.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return system.wrap(stored.resolve(stored(other)));
    }

    @Override
    public Path relativize(Path other) {
        return system.wrap(stored.relativize(stored(other)));
    }

    @Override
    public URI toUri() {
        throw new UnsupportedOperationException("a path of a test has no URI");
    }

    @Override
    public Path toAbsolutePath() {
        return system.wrap(stored.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return system.wrap(stored.toRealPath(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("no watch service");
    }

    @Override
    public int compareTo(Path other) {
        return stored.compareTo(stored(other));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StepPath path && system == path.system && stored.equals(path.stored);
    }

    @Override
    public int hashCode() {
        return stored.hashCode();
    }

    @Override
    public String toString() {
        return stored.toString();
    }
}

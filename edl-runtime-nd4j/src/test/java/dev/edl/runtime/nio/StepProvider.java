package dev.edl.runtime.nio;

import dev.edl.runtime.nio.StepFileSystem.Step;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Provider of a {@link StepFileSystem}. */
final class StepProvider extends FileSystemProvider {
    private final StepFileSystem.Steps steps;

    StepProvider(StepFileSystem.Steps steps) {
        this.steps = steps;
    }

    private static FileSystemProvider of(Path path) {
        return StepPath.stored(path).getFileSystem().provider();
    }

    @Override
    public String getScheme() {
        return "steps";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
        throw new UnsupportedOperationException("a test makes it");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException("a test has it");
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException("a path of a test has no URI");
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        steps.before(Step.FILE_CHANNEL, path);
        Path stored = StepPath.stored(path);
        FileChannel channel = Files.isDirectory(stored) ? directory() : FileChannel.open(stored, options, attributes);
        return new StepChannel(channel, path, steps);
    }

    /** Opens an empty file in place of a directory, which not every file system can open and sync. */
    private static FileChannel directory() throws IOException {
        return FileChannel.open(
                Files.createTempFile("directory-", null), StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        steps.before(Step.CHANNEL, path);
        return Files.newByteChannel(StepPath.stored(path), options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        StepFileSystem system = (StepFileSystem) directory.getFileSystem();
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream =
                Files.newDirectoryStream(StepPath.stored(directory), path -> filter.accept(system.wrap(path)))) {
            stream.forEach(path -> entries.add(system.wrap(path)));
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return entries.iterator();
            }

            @Override
            public void close() {
                // The listing is in memory.
            }
        };
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        steps.before(Step.CREATE_DIRECTORY, directory);
        Files.createDirectory(StepPath.stored(directory), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        steps.before(Step.DELETE, path);
        Files.delete(StepPath.stored(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        Files.copy(StepPath.stored(source), StepPath.stored(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        steps.before(List.of(options).contains(StandardCopyOption.ATOMIC_MOVE) ? Step.ATOMIC_MOVE : Step.MOVE, source);
        Files.move(StepPath.stored(source), StepPath.stored(target), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return Files.isSameFile(StepPath.stored(path), StepPath.stored(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(StepPath.stored(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(StepPath.stored(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        of(path).checkAccess(StepPath.stored(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return of(path).getFileAttributeView(StepPath.stored(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(StepPath.stored(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(StepPath.stored(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        Files.setAttribute(StepPath.stored(path), attribute, value, options);
    }
}

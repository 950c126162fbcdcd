package dev.edl.runtime.ps;

import dev.edl.runtime.internal.files.DirectorySync;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * File system operations of the checkpoint store, one call per step, so that a test can stop the store between any two
 * steps.
 */
interface CheckpointFiles {
    /** The real file system. */
    CheckpointFiles REAL = new CheckpointFiles() {
        @Override
        public void createDirectory(Path directory) throws IOException {
            DirectorySync.create(directory);
        }

        @Override
        public ChecksummedOutput.Seal write(Path file, Content content) throws IOException {
            try (ChecksummedOutput out = ChecksummedOutput.create(file)) {
                content.writeTo(out);
                return out.seal();
            }
        }

        @Override
        public void sync(Path directory) throws IOException {
            DirectorySync.force(directory);
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            try {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            } catch (UnsupportedOperationException none) {
                throw new AtomicMoveNotSupportedException(from.toString(), to.toString(), "unknown copy option");
            }
        }

        @Override
        public void moveFile(Path from, Path to) throws IOException {
            Files.move(from, to);
        }

        @Override
        public void delete(Path path) throws IOException {
            Files.delete(path);
        }
    };

    /** Creates a directory and its parents. */
    void createDirectory(Path directory) throws IOException;

    /** Writes a new file and its checksum, and syncs it to disk. */
    ChecksummedOutput.Seal write(Path file, Content content) throws IOException;

    /** Syncs the entries of a directory to disk. */
    void sync(Path directory) throws IOException;

    /**
     * Renames a directory atomically.
     *
     * @throws AtomicMoveNotSupportedException when the file system cannot rename atomically
     */
    void move(Path from, Path to) throws IOException;

    /** Renames a file, atomically if the file system can. */
    void moveFile(Path from, Path to) throws IOException;

    /** Deletes a file or an empty directory. */
    void delete(Path path) throws IOException;

    /** Writer of a checkpoint file's content. */
    @FunctionalInterface
    interface Content {
        /** Writes the content. */
        void writeTo(ChecksummedOutput out) throws IOException;
    }
}

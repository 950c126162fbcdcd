package dev.edl.image;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Names of the files of a transfer, relative to its folder, with slashes on each operating system. */
final class TransferFileNames {
    private TransferFileNames() {}

    /** Returns whether a name is relative, and has no empty part, {@code .} and {@code ..}. */
    static boolean isRelative(String name) {
        return Arrays.stream(name.split("/", -1)).noneMatch(part -> part.matches("[.]{0,2}"));
    }

    /** Returns whether a name is that of a file whose transfer is not complete. */
    static boolean isUnfinished(String name) {
        return name.matches("[.]edl-[0-9a-f]{64}([.][-0-9a-f]+)?[.]part");
    }

    /** Returns the file that is where a path needs a folder. */
    static Optional<Path> inTheWay(Path folder) {
        Path at = folder.toAbsolutePath();
        while (at != null && !Files.exists(at)) {
            at = at.getParent();
        }
        return Optional.ofNullable(at).filter(there -> !Files.isDirectory(there));
    }

    /** Returns the reason of a failure of this machine's files, without the name of an exception. */
    static String why(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "this user has no permission";
        }
        if (failure instanceof NoSuchFileException) {
            return "it does not exist";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "a file has the name of a folder";
        }
        String reason = failure instanceof FileSystemException of && of.getReason() != null
                ? of.getReason()
                : failure.getMessage();
        return reason == null ? failure.toString() : reason;
    }

    /**
     * Returns the path of a name; the empty name is the folder.
     *
     * @throws TransferRejectedException if the path may be outside the folder, also by a symbolic link
     */
    static Path below(Path folder, String name) throws TransferRejectedException {
        Path path = folder;
        if (!name.isEmpty()) {
            Path relative = parse(name);
            boolean plain = isRelative(name) && relative.getRoot() == null;
            for (String part : name.split("/", -1)) {
                // Elsewhere a backslash may separate folders.
                plain = plain && parse(part).getNameCount() == 1;
            }
            if (!plain) {
                throw new TransferRejectedException(
                        "\"" + name + "\" must be a relative path without \"..\"; for example" + " mnist/train");
            }
            for (Path part : relative) {
                path = path.resolve(part);
                if (Files.isSymbolicLink(path)) {
                    throw new TransferRejectedException("\"" + name + "\" is refused, because " + path
                            + " is a symbolic link, which may leave the folder; remove the link");
                }
            }
        }
        return path;
    }

    private static Path parse(String name) throws TransferRejectedException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new TransferRejectedException("\"" + name + "\" is not a valid file name: " + e.getReason()
                    + "; this JVM encodes file names in " + System.getProperty("sun.jnu.encoding"));
        }
    }
}

package dev.edl.image;

import java.util.Locale;

/**
 * State or result of a transfer of files to or from a claim.
 *
 * @param files number of files of the source; 0 before they are counted
 * @param bytes their length
 * @param doneFiles number of files that the destination has
 * @param doneBytes their length
 * @param sentFiles number of transferred files; the destination had the others
 * @param sentBytes bytes that have travelled, with those of unfinished files
 */
public record ClaimTransfer(long files, long bytes, long doneFiles, long doneBytes, long sentFiles, long sentBytes) {
    private static final double MEGABYTE = 1e6;

    /** Returns a line such as {@code 3 of 4 files (1.5 of 2.0 MB) are in place; 1 file (0.5 MB) travelled}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d of %d files (%.1f of %.1f MB) are in place; %s (%.1f MB) travelled",
                doneFiles,
                files,
                doneBytes / MEGABYTE,
                bytes / MEGABYTE,
                sentFiles == 1 ? "1 file" : sentFiles + " files",
                sentBytes / MEGABYTE);
    }
}

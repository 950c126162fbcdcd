package dev.edl.image;

/**
 * State of an upload to a claim.
 *
 * @param jars number of jars of the class path
 * @param done number of jars that are on the claim
 * @param sentBytes bytes that this upload has sent
 * @param totalBytes length of all jars; jars that are there already do not travel
 */
public record UploadProgress(int jars, int done, long sentBytes, long totalBytes) {}

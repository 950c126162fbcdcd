package dev.edl.image;

/**
 * Jars on a claim.
 *
 * @param jars number of jars, including jars of broken uploads
 * @param bytes their length
 * @param unusedJars number of jars that no job uses
 * @param unusedBytes their length
 */
public record ClaimStatus(long jars, long bytes, long unusedJars, long unusedBytes) {}

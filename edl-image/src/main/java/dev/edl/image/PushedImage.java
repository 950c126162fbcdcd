package dev.edl.image;

import java.util.Objects;

/**
 * An image in a registry.
 *
 * @param reference name with digest, for example {@code registry.example/acme/mnist@sha256:1f0e…}: pods that start
 *     later run the same bytes, even if the tag has moved
 * @param tag tag in the registry; a registry keeps an image that a tag names
 * @param digest digest of the image's manifest, {@code sha256:} and 64 hexadecimal digits
 * @param sentBytes compressed bytes of the layers and of the configuration that the registry did not have
 */
public record PushedImage(String reference, String tag, String digest, long sentBytes) {
    public PushedImage {
        Objects.requireNonNull(reference, "reference");
        Objects.requireNonNull(tag, "tag");
        Objects.requireNonNull(digest, "digest");
    }

    /** Returns the reference, so that the image can be named in a job. */
    @Override
    public String toString() {
        return reference;
    }
}

package dev.edl.conformance.images;

import dev.edl.image.ProgramImage;
import java.io.IOException;

/** Pushes {@link Echo}, in a JVM of its own: a JVM reads its trusted certificates once. */
final class Push {
    private Push() {}

    /** Takes the name of the image, a user and a password; prints the reference, or why there is none. */
    public static void main(String[] args) throws InterruptedException {
        try {
            ProgramImage image = ProgramImage.builder(Echo.class)
                    .credentials(args[1], args[2])
                    .build();
            System.out.println(image.push(args[0]));
        } catch (IOException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }
}

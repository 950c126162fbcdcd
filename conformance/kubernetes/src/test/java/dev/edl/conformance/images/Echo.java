package dev.edl.conformance.images;

/** A program of one line, which pods run from an image. */
public final class Echo {
    private Echo() {}

    /** Prints its arguments, its user, and whether it can write its home. */
    public static void main(String[] args) {
        System.out.println("echo " + String.join(" ", args) + " of " + System.getProperty("user.name") + " in "
                + System.getProperty("user.home") + " on Java "
                + Runtime.version().feature());
    }
}

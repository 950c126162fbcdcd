package dev.edl.env;

import java.util.Optional;

/** First two numbers of a framework's version, which determine what it supports. */
record FrameworkVersion(int major, int minor) {
    /**
     * Returns the version at the beginning of a text; empty unless the text begins with two numbers of at most 6
     * digits.
     */
    static Optional<FrameworkVersion> find(String text) {
        return text.matches("(?s)\\d{1,6}\\.\\d{1,6}([^0-9].*)?") ? Optional.of(of(text)) : Optional.empty();
    }

    /**
     * Returns the version at the beginning of a text.
     *
     * @param text text that begins with two numbers, such as the framework version of a valid job
     */
    static FrameworkVersion of(String text) {
        String[] numbers = text.split("[^0-9]", 3);
        return new FrameworkVersion(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    boolean before(int otherMajor, int otherMinor) {
        return major < otherMajor || (major == otherMajor && minor < otherMinor);
    }
}

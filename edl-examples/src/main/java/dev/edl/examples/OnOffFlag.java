package dev.edl.examples;

/** Values of a flag that is on or off. */
public enum OnOffFlag {
    /** Enabled. */
    on,
    /** Disabled. */
    off
}

package dev.edl.examples;

/** The words of a flag that is on or off. */
public enum OnOff {
    /** It is done. */
    on,
    /** It is left out. */
    off
}

package dev.edl.cli;

/** Format of a command's result, as kubectl names it. */
enum ObjectFormat {
    yaml,
    json,
    name
}

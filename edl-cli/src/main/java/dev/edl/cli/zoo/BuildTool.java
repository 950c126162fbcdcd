package dev.edl.cli.zoo;

/** Build tools whose files a new project gets. */
enum BuildTool {
    maven,
    gradle,
    both;

    boolean has(BuildTool one) {
        return this == both || this == one;
    }
}

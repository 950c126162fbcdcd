package dev.edl;

/** Where a job comes from: a message names the path and shows the valid form in the words of that place. */
enum Origin {
    /** The builder. */
    CODE,
    /** JSON or YAML. */
    TEXT;

    /** The path of a role. */
    String path(RoleType type) {
        return this == TEXT ? "roles." + type.id() : type.id();
    }

    /** The end of a message that shows a valid form. */
    String example(String code, String text) {
        return "; for example " + (this == TEXT ? text : code);
    }
}

package dev.edl.internal.job;

import dev.edl.RoleType;

/** Where a job comes from: a message names the path and shows the valid form in the words of that place. */
public enum InputFormat {
    /** The builder. */
    CODE,
    /** JSON or YAML. */
    TEXT;

    /** The path of a role. */
    public String path(RoleType type) {
        return this == TEXT ? "roles." + type.id() : type.id();
    }

    /** The end of a message that shows a valid form. */
    public String example(String code, String text) {
        return "; for example " + (this == TEXT ? text : code);
    }
}

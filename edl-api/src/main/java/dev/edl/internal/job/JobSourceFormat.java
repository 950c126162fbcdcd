package dev.edl.internal.job;

import dev.edl.spec.RoleType;

/** Format of a job's source, which determines the paths and valid forms in messages. */
public enum JobSourceFormat {
    /** Java code that calls the builder. */
    CODE,
    /** Text in JSON or YAML. */
    TEXT;

    /** Returns the path of a role in messages: {@code worker} in code, {@code roles.worker} in a text. */
    public String path(RoleType type) {
        return this == TEXT ? "roles." + type.id() : type.id();
    }

    /** Returns the end of a message, which shows a valid form in this format: {@code code} or {@code text}. */
    public String example(String code, String text) {
        return "; for example " + (this == TEXT ? text : code);
    }
}

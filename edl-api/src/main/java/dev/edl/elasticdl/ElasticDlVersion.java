package dev.edl.elasticdl;

import java.util.List;

/**
 * Version of ElasticDL that a command line is for; flags, defaults and the command itself changed over time.
 *
 * @see ElasticDlCommand
 */
public enum ElasticDlVersion {
    /** Spring 2020: {@code python -m elasticdl.python.elasticdl.client train}, which also builds the image. */
    MARCH_2020("ElasticDL of March 2020", "python -m elasticdl.python.elasticdl.client"),

    /** Summer 2020, {@code elasticdl-client} 0.2.0: {@code elasticdl train} with an existing image. */
    JULY_2020("ElasticDL of July 2020", "elasticdl"),

    /** The last release, {@code elasticdl-client} 1.0.0: {@code elasticdl train}. */
    RELEASE_1_0("ElasticDL 1.0", "elasticdl");

    private final String text;
    private final String entry;

    ElasticDlVersion(String text, String entry) {
        this.text = text;
        this.entry = entry;
    }

    /** Returns the words in front of {@code train}, which start ElasticDL's client. */
    List<String> entry() {
        return List.of(entry.split(" "));
    }

    /** Returns, for example, {@code ElasticDL of July 2020}. */
    @Override
    public String toString() {
        return text;
    }
}

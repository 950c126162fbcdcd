package dev.edl.testkit.k8s;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The run id of a job in the YAML of its objects, where it stands as a label or as a variable. One that was derived from the
 * job's content changes with every change, and a diff would be full of it; it has eight
 * hexadecimal digits, and four letters and digits where it is part of names. One that was given, and looks like that, is
 * hidden as well.
 */
final class DerivedRunId {
    private static final Pattern PLACE = Pattern.compile(
            "(?:runtime_id\"?: \"?([0-9a-z]{4})|EDL_RUN_ID\"?\\n +\"?value\"?: \"?([0-9a-f]{8}))\"?\\n");

    private DerivedRunId() {}

    /** The text with {@code <run id>} in place of the id. */
    static String hidden(String yaml) {
        Matcher place = PLACE.matcher(yaml);
        if (!place.find()) {
            return yaml;
        }
        String id = place.group(1) == null ? place.group(2) : place.group(1);
        return yaml.replaceAll("(?<![A-Za-z0-9])" + id + "(?![A-Za-z0-9])", "<run id>");
    }
}

package dev.edl.testkit.k8s;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hides the derived run id of a job in the YAML of the job's objects, where it is the value of a label or a variable.
 * The id changes with every change of the job and would fill a diff. It has eight hexadecimal digits, or four letters
 * and digits where it is part of names. An explicit id of that form is hidden as well.
 */
final class DerivedRunIdMask {
    private static final Pattern PLACE = Pattern.compile(
            "(?:runtime_id\"?: \"?([0-9a-z]{4})|EDL_RUN_ID\"?\\n +\"?value\"?: \"?([0-9a-f]{8}))\"?\\n");

    private DerivedRunIdMask() {}

    /** Returns the text with {@code <run id>} in place of the id. */
    static String hidden(String yaml) {
        Matcher place = PLACE.matcher(yaml);
        if (!place.find()) {
            return yaml;
        }
        String id = place.group(1) == null ? place.group(2) : place.group(1);
        return yaml.replaceAll("(?<![A-Za-z0-9])" + id + "(?![A-Za-z0-9])", "<run id>");
    }
}

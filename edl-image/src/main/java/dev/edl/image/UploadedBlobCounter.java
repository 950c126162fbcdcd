package dev.edl.image;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.LogEvent;
import com.google.cloud.tools.jib.event.events.ProgressEvent;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts the bytes of the blobs that a registry did not have. Jib reports progress also for blobs that it skips. */
final class UploadedBlobCounter {
    private static final Pattern SENT = Pattern.compile("pushing blob (\\S+)");
    private static final Pattern SKIPPED = Pattern.compile("BLOB already exists .*digest: (\\S+),");

    private final Map<String, Long> bytes = new ConcurrentHashMap<>();
    private final Set<String> skipped = ConcurrentHashMap.newKeySet();

    Containerizer count(Containerizer to) {
        return to.addEventHandler(ProgressEvent.class, event -> {
                    Matcher sent = SENT.matcher(event.getAllocation().getDescription());
                    if (sent.matches()) {
                        bytes.merge(sent.group(1), event.getUnits(), Long::sum);
                    }
                })
                .addEventHandler(LogEvent.class, event -> {
                    Matcher skip = SKIPPED.matcher(event.getMessage());
                    if (skip.find()) {
                        skipped.add(skip.group(1));
                    }
                });
    }

    long bytes() {
        return bytes.entrySet().stream()
                .filter(blob -> !skipped.contains(blob.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}

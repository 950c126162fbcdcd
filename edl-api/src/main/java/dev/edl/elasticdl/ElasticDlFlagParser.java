package dev.edl.elasticdl;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.internal.text.MessageText;
import dev.edl.internal.text.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses the flags of one command, given as words or as a map, and collects the mistakes in them. Single use. */
final class ElasticDlFlagParser {
    private final ElasticDlVersion version;
    private final ElasticDlVerb verb;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final List<String> mistakes = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();

    ElasticDlFlagParser(ElasticDlVersion version, ElasticDlVerb verb) {
        this.version = version;
        this.verb = verb;
    }

    /**
     * Returns the action of a command line, such as {@code train}: the first word after the command of ElasticDL's client.
     *
     * @throws InvalidJobException if the line does not start as in this version, or with no action
     */
    static ElasticDlVerb verb(ElasticDlVersion version, List<String> words) {
        List<String> entry = version.entry();
        int length = entry.size();
        List<String> begin = new ArrayList<>(words.subList(0, Math.min(length, words.size())));
        if (!begin.isEmpty() && length > 1) {
            begin.set(0, begin.get(0).replaceFirst("^(.*/)?python[0-9.]*$", "python"));
        } else if (!begin.isEmpty()) {
            begin.set(0, begin.get(0).replaceFirst("^.*/", ""));
        }
        if (!begin.equals(entry)) {
            String start = String.join(" ", words);
            String other = Arrays.stream(ElasticDlVersion.values())
                    .filter(one -> start.replaceFirst("^(.*/)?python[0-9.]* ", "python ")
                            .startsWith(String.join(" ", one.entry()) + " "))
                    .findFirst()
                    .map(one -> "; that form is for " + one)
                    .orElse("");
            throw new InvalidJobException(
                    "",
                    List.of("a command line of " + version + " must begin with \"" + String.join(" ", entry)
                            + " train\", was " + MessageText.quoted(start) + other));
        }
        String word = words.size() > length ? words.get(length) : "";
        return Arrays.stream(ElasticDlVerb.values())
                .filter(verb -> verb.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> new InvalidJobException(
                        "",
                        List.of("\"" + word + "\" starts no job; "
                                + SpellingSuggestion.hint(word, List.of("train", "evaluate", "predict")))));
    }

    /** Parses {@code --name=value}, {@code --name value} and, for truth values, {@code --name}. */
    void read(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("--") || word.equals("--")) {
                mistakes.add("\"" + word
                        + "\" must be a flag, as ElasticDL ignores other words; for example --num_workers=4");
                continue;
            }
            int equals = word.indexOf('=');
            String name = word.substring(2, equals < 0 ? word.length() : equals);
            ElasticDlFlag flag = ElasticDlFlags.find(version, verb, name).orElse(null);
            boolean separate = equals < 0 && i + 1 < words.size() && !isFlag(words.get(i + 1));
            String value = equals >= 0 ? word.substring(equals + 1) : separate ? words.get(++i) : null;
            if (flag == null) {
                mistakes.add(ElasticDlFlags.unknown(version, verb, name));
            } else if (value == null && flag.kind() != ElasticDlFlag.Kind.TRUTH) {
                refused.add(name);
                mistakes.add(flag + " must have a value; for example " + flag + "=…");
            } else {
                put(flag, value == null ? flag.bare(version) : value);
            }
        }
        required(false);
    }

    /**
     * Returns whether a word is a flag. A single dash, a negative number and a word with blanks are values, as in
     * Python's argparse.
     */
    private static boolean isFlag(String word) {
        return word.startsWith("-")
                && word.length() > 1
                && !word.matches("-\\d+|-\\d*\\.\\d+")
                && !word.replaceFirst("(?s)^--\\w+=.*", "").contains(" ");
    }

    private void put(ElasticDlFlag flag, String value) {
        int before = mistakes.size();
        String checked = ElasticDlFlagValidator.normalize(flag, version, value, mistakes::add);
        String other = values.get(flag.name());
        if (other != null) {
            mistakes.add(flag + " is given twice, as " + MessageText.quoted(other) + " and " + MessageText.quoted(value)
                    + "; give each flag once, as ElasticDL uses the last");
        }
        if (mistakes.size() > before) {
            refused.add(flag.name());
        } else {
            values.put(flag.name(), checked);
        }
    }

    private void required(boolean jobIsGiven) {
        for (ElasticDlFlag flag : ElasticDlFlags.of(version, verb)) {
            boolean given = values.containsKey(flag.name()) || refused.contains(flag.name());
            if (given || (jobIsGiven && flag.ofJob())) {
                continue;
            }
            if (flag.required(version, verb)) {
                mistakes.add(flag + " is missing, which " + verb + " needs in " + version);
            } else if (flag.name().equals("num_workers")
                    && "0".equals(flag.defaults().get(version))) {
                refused.add(flag.name());
                mistakes.add(
                        flag + " is missing; without it " + version + " starts no worker; for example " + flag + "=4");
            }
        }
    }

    /**
     * Returns the job that the parsed flags describe.
     *
     * @throws InvalidJobException with every mistake of the flags and of the job
     */
    Job job() {
        Map<String, String> given = new LinkedHashMap<>(values);
        // A rejected flag must not be reported again as a mistake of the job.
        refused.forEach(given::remove);
        given.putIfAbsent("job_name", "unnamed");
        if (refused.contains("num_workers")) {
            given.put("num_workers", "1");
        }
        String name = Objects.requireNonNull(given.get("job_name"));
        try {
            Job job = new ElasticDlJobReader(version, verb, given, mistakes::add, losses)
                    .read()
                    .build();
            if (mistakes.isEmpty()) {
                return job;
            }
        } catch (InvalidJobException e) {
            String prefix = name.isEmpty() ? "job: " : "job \"" + name + "\": ";
            e.problems()
                    .forEach(problem ->
                            mistakes.add(problem.startsWith(prefix) ? problem.substring(prefix.length()) : problem));
        }
        throw new InvalidJobException(values.getOrDefault("job_name", ""), mistakes);
    }

    /** Returns the specified flags outside the job, in ElasticDL's order. */
    Map<String, String> flags() {
        return ElasticDlFlags.of(version, verb).stream()
                .filter(flag -> !flag.ofJob() && values.containsKey(flag.name()))
                .collect(Collectors.toMap(
                        ElasticDlFlag::name,
                        flag -> values.getOrDefault(flag.name(), ""),
                        (a, b) -> a,
                        LinkedHashMap::new));
    }

    List<String> losses() {
        return losses;
    }

    /**
     * Checks the flags that accompany a job, and returns them with normalized values, in ElasticDL's order.
     *
     * @param given flags outside the job, by name without the dashes
     * @throws InvalidJobException with every flag that is unknown, missing, wrong or a setting of the job
     */
    Map<String, String> flagsOf(Job job, Map<String, String> given) {
        given.forEach((name, value) -> {
            ElasticDlFlag flag = ElasticDlFlags.find(version, verb, name).orElse(null);
            if (flag == null) {
                mistakes.add(ElasticDlFlags.unknown(version, verb, name));
            } else if (flag.ofJob()) {
                mistakes.add(flag + " must be left out, as the job sets it");
            } else {
                put(flag, value);
            }
        });
        required(true);
        if (!mistakes.isEmpty()) {
            throw new InvalidJobException(job.name(), mistakes);
        }
        return flags();
    }
}

package dev.edl.elasticdl;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.internal.text.ShellWords;
import dev.edl.spec.Framework;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Command line of ElasticDL as values: the {@link Job} that it starts, and the flags outside the job (the model, the
 * data, the size of a minibatch …).
 *
 * <pre>{@code
 * ElasticDlCommand command = ElasticDlCommand.parse(ElasticDlVersion.JULY_2020, """
 *     elasticdl train --image_name=gcr.io/${PROJECT_ID}/elasticdl:mnist --job_name=test-mnist --model_zoo=model_zoo \
 *       --model_def=mnist_functional_api.mnist_functional_api.custom_model --num_ps_pods=2 --num_workers=4""",
 *     Map.of("PROJECT_ID", "acme"));
 * command.job();                        // Job test-mnist (elasticdl): master, ps x 2, worker x 4
 * command.number("minibatch_size");     // 64, the default of July 2020
 *
 * ElasticDlCommand.of(ElasticDlVersion.RELEASE_1_0, ElasticDlVerb.TRAIN, job, Map.of("model_zoo", "/model_zoo", "model_def",
 *     "mnist.mnist.custom_model")).toString();   // elasticdl train --job_name=… , for a shell
 * }</pre>
 *
 * <p><b>Stricter than ElasticDL.</b> Each of these is a mistake here, reported with the nearest flag. ElasticDL's
 * clients instead
 *
 * <ul>
 *   <li>ignore an unknown flag,
 *   <li>expand a prefix to a flag,
 *   <li>use the last of repeated flags,
 *   <li>read any word except {@code true}, {@code yes}, {@code t} and {@code y} as false.
 * </ul>
 *
 * <p><b>Settings of the job.</b> Name, namespace, images, numbers of replicas, requests, limits, priorities, volumes
 * and environment variables become settings of the job, with the version's defaults. In 1.0, {@code job_command} and
 * the numbers of relaunches become settings, too. {@link #flags} does not repeat them. An image that the command would
 * build (March 2020, {@code --image_base}) has no name yet, so the job has no image. {@code --restart_policy} is the
 * policy of Kubernetes for containers, not that of the job for relaunches; it stays a flag.
 *
 * <p>Immutable; safe for use by several threads.
 */
public final class ElasticDlCommand {
    private final ElasticDlVersion version;
    private final ElasticDlVerb verb;
    private final Job job;
    private final Map<String, String> flags;
    private final Map<String, String> jobFlags;
    private final List<String> losses;

    private ElasticDlCommand(
            ElasticDlVersion version, ElasticDlVerb verb, Job job, Map<String, String> given, List<String> read) {
        List<String> mistakes = new ArrayList<>();
        List<String> lost = new ArrayList<>(read);
        this.version = version;
        this.verb = verb;
        this.job = job;
        flags = Collections.unmodifiableMap(new LinkedHashMap<>(given));
        jobFlags = new ElasticDlJobWriter(version, verb, job.spec(), mistakes::add, lost::add).write();
        jobFlags.forEach((name, value) -> ElasticDlFlags.find(version, verb, name)
                .ifPresent(flag -> ElasticDlFlagValidator.normalize(flag, version, value, mistakes::add)));
        losses = List.copyOf(lost);
        if (!mistakes.isEmpty()) {
            throw new InvalidJobException(job.name(), mistakes);
        }
    }

    /**
     * Parses a command line as typed into a shell; see {@link #parse(ElasticDlVersion, String, Map)}.
     *
     * @throws InvalidJobException with every mistake
     */
    public static ElasticDlCommand parse(ElasticDlVersion version, String commandLine) {
        return parse(version, commandLine, Map.of());
    }

    /**
     * Parses a command line as typed into a shell, with quotes, backslashes, continued lines and variables.
     *
     * @param version ElasticDL version that determines flags and defaults
     * @param commandLine text that starts with {@code elasticdl} or {@code python}
     * @param variables values of the shell's variables by name, for {@code $NAME} and <code>${NAME}</code>
     * @throws InvalidJobException with every mistake: of the shell's syntax, of the flags and of the job
     */
    public static ElasticDlCommand parse(ElasticDlVersion version, String commandLine, Map<String, String> variables) {
        Objects.requireNonNull(commandLine, "commandLine");
        Objects.requireNonNull(variables, "variables");
        List<String> mistakes = new ArrayList<>();
        List<String> words = ShellWords.split(commandLine, variables, mistakes::add);
        if (!mistakes.isEmpty()) {
            throw new InvalidJobException("", mistakes.stream().distinct().toList());
        }
        return parse(version, words);
    }

    /**
     * Parses the words of a command line.
     *
     * @param version ElasticDL version that determines flags and defaults
     * @param words words of the command line; the first is {@code elasticdl} or {@code python}
     * @throws InvalidJobException with every mistake of the flags and of the job
     */
    public static ElasticDlCommand parse(ElasticDlVersion version, List<String> words) {
        Objects.requireNonNull(version, "era");
        ElasticDlVerb verb = ElasticDlFlagParser.verb(version, List.copyOf(words));
        return parse(version, verb, words.subList(version.entry().size() + 1, words.size()));
    }

    /**
     * Parses the flags of a command line.
     *
     * @param version ElasticDL version that determines flags and defaults
     * @param verb action of the command
     * @param flags words after the action, such as {@code --job_name=mnist}
     * @throws InvalidJobException with every mistake of the flags and of the job
     */
    public static ElasticDlCommand parse(ElasticDlVersion version, ElasticDlVerb verb, List<String> flags) {
        ElasticDlFlagParser reader = new ElasticDlFlagParser(version, verb);
        reader.read(flags);
        return new ElasticDlCommand(version, verb, reader.job(), reader.flags(), reader.losses());
    }

    /**
     * Returns the command line that starts a job.
     *
     * @param version ElasticDL version of the command line
     * @param verb action of the command
     * @param job a job with framework {@link Framework#ELASTICDL}
     * @param flags flags outside the job, without the dashes: {@code model_def}, {@code minibatch_size} …; written in
     *     ElasticDL's order
     * @throws InvalidJobException with every mistake: a flag that is unknown in the version, missing, wrong or set by
     *     the job, and any setting that ElasticDL would reject or misread
     */
    public static ElasticDlCommand of(
            ElasticDlVersion version, ElasticDlVerb verb, Job job, Map<String, String> flags) {
        Objects.requireNonNull(job, "job");
        ElasticDlFlagParser reader =
                new ElasticDlFlagParser(Objects.requireNonNull(version, "era"), Objects.requireNonNull(verb, "verb"));
        return new ElasticDlCommand(version, verb, job, reader.flagsOf(job, flags), List.of());
    }

    /** Returns the names of the flags of a command, without the dashes, in ElasticDL's order. */
    public static List<String> known(ElasticDlVersion version, ElasticDlVerb verb) {
        return ElasticDlFlags.of(version, verb).stream()
                .map(ElasticDlFlag::name)
                .toList();
    }

    /** Returns the ElasticDL version of the command. */
    public ElasticDlVersion era() {
        return version;
    }

    /** Returns the action of the command. */
    public ElasticDlVerb verb() {
        return verb;
    }

    /** Returns the job that the command starts. */
    public Job job() {
        return job;
    }

    /** Returns the specified flags outside the job, by name without the dashes, in ElasticDL's order. */
    public Map<String, String> flags() {
        return flags;
    }

    /**
     * Returns the differences that the conversion cannot express, one line each; empty when nothing is lost. For a
     * command made from a job, these are the settings without a flag. For a parsed command, these are the points where
     * the job is stricter than ElasticDL.
     */
    public List<String> losses() {
        return losses;
    }

    /**
     * Returns the value of a flag outside the job; by default the version's default. Empty if that value is an empty
     * text.
     *
     * @param flag name of the flag without the dashes, such as {@code model_def}
     * @throws IllegalArgumentException for a flag that is unknown or is a setting of the job
     */
    public Optional<String> text(String flag) {
        return Optional.of(value(flag)).filter(value -> !value.isEmpty());
    }

    /**
     * Returns the value of a flag that is a whole number, such as {@code minibatch_size}, or the version's default.
     *
     * @throws IllegalArgumentException for a flag that is unknown, is a setting of the job, or has no number as its
     *     value
     */
    public int number(String flag) {
        return Integer.parseInt(value(flag, ElasticDlFlag.Kind.NUMBER, "whole number"));
    }

    /**
     * Returns the value of a flag that is true or false, such as {@code use_async}, or the version's default.
     *
     * @throws IllegalArgumentException for a flag that is unknown, is a setting of the job, or is neither true nor
     *     false
     */
    public boolean truth(String flag) {
        return Boolean.parseBoolean(value(flag, ElasticDlFlag.Kind.TRUTH, "truth value"));
    }

    private String value(String name, ElasticDlFlag.Kind kind, String words) {
        String value = value(name);
        if (ElasticDlFlags.find(version, verb, name)
                .filter(flag -> flag.kind() == kind)
                .isEmpty()) {
            throw new IllegalArgumentException(
                    "--" + name + " is not a " + words + "; read it by text(\"" + name + "\")");
        }
        return value;
    }

    private String value(String name) {
        ElasticDlFlag flag = ElasticDlFlags.find(version, verb, name)
                .orElseThrow(() -> new IllegalArgumentException(ElasticDlFlags.unknown(version, verb, name)));
        if (flag.ofJob()) {
            throw new IllegalArgumentException(flag + " is a setting of the job; read it from job()");
        }
        String given = flags.get(name);
        return given != null ? given : flag.fallback(version, verb).orElse("");
    }

    /** Returns the command line as the words of a process's command. */
    public List<String> words() {
        List<String> words = new ArrayList<>(version.entry());
        words.add(verb.toString());
        Consumer<ElasticDlFlag> write = flag -> {
            String value = flag.ofJob() ? jobFlags.get(flag.name()) : flags.get(flag.name());
            if (value != null) {
                words.add(flag + "=" + value);
            }
        };
        ElasticDlFlags.of(version, verb).forEach(write);
        return List.copyOf(words);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ElasticDlCommand that
                && version == that.version
                && verb == that.verb
                && job.equals(that.job)
                && flags.equals(that.flags);
    }

    @Override
    public int hashCode() {
        return Objects.hash(version, verb, job, flags);
    }

    /** Returns the command line for a shell, one flag on each line. */
    @Override
    public String toString() {
        List<String> words = words();
        int first = version.entry().size() + 1;
        return words.subList(0, first).stream().map(ShellWords::quote).collect(Collectors.joining(" "))
                + words.subList(first, words.size()).stream()
                        .map(word -> " \\\n  " + quoted(word))
                        .collect(Collectors.joining());
    }

    /** Quotes only the value of a word, as in handwritten commands. */
    private static String quoted(String word) {
        int equals = word.indexOf('=') + 1;
        String value = word.substring(equals);
        return word.substring(0, equals) + (value.isEmpty() ? "" : ShellWords.quote(value));
    }
}

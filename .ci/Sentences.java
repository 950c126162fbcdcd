import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the sentences of pages, Javadoc and comments: {@code git ls-files -z | java .ci/Sentences.java}, from the top of the repository.
 * Reads the names of the files from its input, each followed by a zero byte.
 *
 * <p>Counts long sentences, long table cells, long first sentences of Javadoc, and the patterns of {@code .ci/sentences}. Each count has a
 * cap in that file. A count above its cap fails; so does a cap that is more than {@value #SLACK} above its count, so that caps only go down.
 * Prints the ten worst places.
 */
final class Sentences {
    private static final int SLACK = 9;
    private static final Path CAPS = Path.of(".ci/sentences");

    /** A place that breaks a rule; the higher the weight, the worse. */
    private record Place(String rule, String where, int weight, String text) {}

    /** A pattern with the name of its rule. */
    private record Rule(String name, Pattern pattern) {}

    private final List<Place> places = new ArrayList<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private final List<Rule> rules = new ArrayList<>();

    private Sentences(Map<String, Integer> caps) {
        for (String rule : caps.keySet()) {
            counts.put(rule, 0);
            if (rule.startsWith("/")) {
                rules.add(new Rule(rule, Pattern.compile(rule.substring(1, rule.length() - 1), Pattern.CASE_INSENSITIVE)));
            }
        }
    }

    public static void main(String[] args) throws IOException {
        Map<String, Integer> caps = caps();
        Sentences found = new Sentences(caps);
        for (String file : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\0")) {
            String text = Files.readString(Path.of(file));
            if (file.endsWith(".java")) {
                found.java(file, text);
            } else if (file.endsWith(".md") && !file.equals("CHANGELOG.md")) {
                found.page(file, text);
            }
        }
        System.exit(found.report(caps) ? 0 : 1);
    }

    /** Lines of a cap, a blank and a rule; # begins a comment. */
    private static Map<String, Integer> caps() throws IOException {
        Map<String, Integer> caps = new LinkedHashMap<>();
        for (String line : Files.readAllLines(CAPS)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.strip().split("\\s+", 2);
                caps.put(words[1], Integer.valueOf(words[0]));
            }
        }
        return caps;
    }

    private boolean report(Map<String, Integer> caps) {
        boolean kept = true;
        for (Map.Entry<String, Integer> rule : counts.entrySet()) {
            int cap = caps.get(rule.getKey());
            String verdict = "";
            if (rule.getValue() > cap) {
                verdict = "  TOO MANY: rewrite the new ones";
                kept = false;
            } else if (cap - rule.getValue() > SLACK) {
                verdict = "  lower the cap in " + CAPS + " to " + rule.getValue();
                kept = false;
            }
            System.out.printf("sentences: %5d of at most %5d  %s%s%n", rule.getValue(), cap, rule.getKey(), verdict);
        }
        places.stream()
                .sorted(Comparator.comparingInt(Place::weight).reversed())
                .limit(10)
                .forEach(place -> System.out.printf(
                        "sentences: %s: %s (%d): %s%n",
                        place.where, place.rule, place.weight, place.text.substring(0, Math.min(100, place.text.length()))));
        return kept;
    }

    private void count(String rule, String where, int weight, String text) {
        if (!counts.containsKey(rule)) {
            throw new IllegalArgumentException(CAPS + " has no cap for " + rule + "; for example 0 " + rule);
        }
        counts.merge(rule, 1, Integer::sum);
        places.add(new Place(rule, where, weight, text));
    }

    /** Code, links and emphasis as single words. */
    private static String plain(String markdown) {
        return markdown.replaceAll("!?\\[([^]]*)]\\([^)]*\\)", "$1").replaceAll("`[^`]*`", "CODE").replaceAll("[*_]{2}", "");
    }

    private static int words(String text) {
        Matcher words = Pattern.compile("[\\p{L}\\p{N}][^\\s]*").matcher(text);
        int count = 0;
        while (words.find()) {
            count++;
        }
        return count;
    }

    private static List<String> sentences(String paragraph) {
        return List.of(paragraph.split("(?<=[.!?])[)\"”]?\\s+(?=[\\p{Lu}\"“(*\\d])"));
    }

    // Pages.

    private void page(String file, String text) {
        boolean code = false;
        StringBuilder paragraph = new StringBuilder();
        int number = 0;
        int began = 1;
        for (String line : text.split("\n", -1)) {
            number++;
            boolean fence = line.strip().startsWith("```");
            boolean table = line.startsWith("|");
            boolean item = line.matches("\\s*([*+-]|\\d+\\.)\\s.*");
            if (fence || code || table || item || line.isBlank() || line.startsWith("#")) {
                paragraph(file, began, paragraph);
                began = number;
            }
            code ^= fence;
            if (table && !code) {
                for (String cell : line.split("(?<!\\\\)\\|")) {
                    String plain = plain(cell);
                    if (words(plain) > 40) {
                        count("table cells over 40 words", file + ":" + number, words(plain), plain.strip());
                    }
                    grammar(file + ":" + number, plain);
                }
            } else if (!code && !fence && !line.startsWith("#") && !line.startsWith("<")) {
                paragraph.append(item ? line.replaceFirst("\\s*([*+-]|\\d+\\.)\\s", "") : line).append(' ');
            }
        }
        paragraph(file, began, paragraph);
    }

    private void paragraph(String file, int line, StringBuilder paragraph) {
        String plain = plain(paragraph.toString()).strip();
        paragraph.setLength(0);
        for (String sentence : sentences(plain)) {
            if (words(sentence) > 40) {
                count("sentences of pages over 40 words", file + ":" + line, words(sentence), sentence);
            }
        }
        grammar(file + ":" + line, plain);
    }

    private void grammar(String where, String text) {
        for (Rule rule : rules) {
            Matcher found = rule.pattern().matcher(text);
            while (found.find()) {
                count(rule.name(), where, 1, text.substring(Math.max(0, found.start() - 30)));
            }
        }
    }

    // Java.

    private static final Pattern COMMENT = Pattern.compile(
            "\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'|(/\\*.*?\\*/)|(//[^\n]*)", Pattern.DOTALL);

    private void java(String file, String text) {
        Matcher comments = COMMENT.matcher(text);
        int line = 1;
        int from = 0;
        while (comments.find()) {
            String comment = comments.group(1) != null ? comments.group(1) : comments.group(2);
            if (comment == null) {
                continue;
            }
            for (; from < comments.start(); from++) {
                line += text.charAt(from) == '\n' ? 1 : 0;
            }
            String where = file + ":" + line;
            String plain = inline(comment
                    .replaceAll("(?m)^\\s*\\*(?!/) ?", " ")
                    .replaceAll("/\\*\\*?|\\*/|(?m)^//", " "));
            if (comment.startsWith("/**")) {
                String first = sentences(plain.split("<(p|ul|ol|pre|table)>|(?m)^\\s*@\\w")[0].strip()).get(0);
                if (words(first) > 30) {
                    count("first sentences of Javadoc over 30 words", where, words(first), first.replaceAll("\\s+", " "));
                }
            }
            grammar(where, plain.replaceAll("\\s+", " "));
        }
    }

    /** Inline tags as the words that a reader sees, code as one word. */
    private static String inline(String comment) {
        Function<String, String> shown = tag -> {
            String[] words = tag.strip().split("\\s+", 3);
            return words[0].startsWith("link") && words.length > 2 ? Matcher.quoteReplacement(words[2]) : "CODE";
        };
        return Pattern.compile("\\{@([^{}]*(?:\\{[^{}]*}[^{}]*)*)}").matcher(comment).replaceAll(match -> shown.apply(match.group(1)));
    }
}

package dev.edl.k8s.preflight;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the problems that the checks find. */
final class ProblemCollector {
    private final Set<Problem> problems = new LinkedHashSet<>();
    private final Set<String> refused = new HashSet<>();

    void error(ProblemTopic topic, String where, String what, String why, ProblemFix fix) {
        problems.add(new Problem(Severity.ERROR, topic, where, what, why, fix));
    }

    void warning(ProblemTopic topic, String where, String what, String why, ProblemFix fix) {
        problems.add(new Problem(Severity.WARNING, topic, where, what, why, fix));
    }

    void notChecked(ProblemTopic topic, String where, String what, String why, ProblemFix fix) {
        problems.add(new Problem(Severity.NOT_CHECKED, topic, where, what, why, fix));
    }

    /** Marks an object that the API server will refuse for a reported reason, so that no dry run is needed. */
    void refused(String object) {
        refused.add(object);
    }

    boolean isRefused(String object) {
        return refused.contains(object);
    }

    /** Returns the problems. Problems that differ only in their field are merged into one with every field. */
    List<Problem> problems() {
        Map<Problem, Set<String>> places = new LinkedHashMap<>();
        problems.forEach(problem -> places.computeIfAbsent(at("", problem), p -> new LinkedHashSet<>())
                .add(problem.where()));
        List<Problem> merged = new ArrayList<>();
        places.forEach((problem, where) -> merged.add(at(String.join(", ", where), problem)));
        return merged;
    }

    private static Problem at(String where, Problem problem) {
        return new Problem(problem.severity(), problem.topic(), where, problem.what(), problem.why(), problem.fix());
    }
}

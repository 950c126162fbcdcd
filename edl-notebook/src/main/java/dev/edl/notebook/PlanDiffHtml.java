package dev.edl.notebook;

import dev.edl.testkit.PlanDiff;

/** The differences of plans as HTML. Needs module {@code edl-testkit}. */
public final class PlanDiffHtml {
    private PlanDiffHtml() {}

    /** Returns the lines that went and those that came, with a sign before each. */
    public static String of(PlanDiff diff) {
        return Html.of(
                        Html.title(diff.title()),
                        diff.differences().isEmpty() ? Html.of() : Html.pre(diff.differences()))
                .toString();
    }
}

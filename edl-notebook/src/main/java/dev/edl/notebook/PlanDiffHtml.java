package dev.edl.notebook;

import dev.edl.testkit.PlanDiff;

/** Differences of plans as HTML. Needs module {@code edl-testkit}. */
public final class PlanDiffHtml {
    private PlanDiffHtml() {}

    /** Returns the removed and added lines with their signs. */
    public static String of(PlanDiff diff) {
        return Html.of(
                        Html.title(diff.title()),
                        diff.differences().isEmpty() ? Html.of() : Html.pre(diff.differences()))
                .toString();
    }
}

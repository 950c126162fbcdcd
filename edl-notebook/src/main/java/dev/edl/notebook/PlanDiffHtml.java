package dev.edl.notebook;

import dev.edl.testkit.PlanDiff;

/** Differences of plans as HTML. Needs module {@code edl-testkit}. */
public final class PlanDiffHtml {
    private PlanDiffHtml() {}

    /** Returns the diff's title and hunks, whose removed and added lines begin with {@code -} and {@code +}. */
    public static String of(PlanDiff diff) {
        return Html.of(
                        Html.title(diff.title()),
                        diff.differences().isEmpty() ? Html.of() : Html.pre(diff.differences()))
                .toString();
    }
}

package dev.edl;

import dev.edl.internal.text.MessageText;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import java.util.Map;
import java.util.stream.Collectors;

/** One-line text of a builder for people. */
final class BuilderDescription {
    private BuilderDescription() {}

    /**
     * Returns, for example, {@code JobBuilder test-mnist (elasticdl): master, worker x 4; settings go to worker; 1
     * mistake}.
     */
    static String of(String name, Framework framework, Map<RoleType, RoleDraft> roles, String scope, int mistakes) {
        String given = roles.isEmpty()
                ? "no roles"
                : roles.entrySet().stream()
                        .map(role -> Job.line(role.getValue().role(role.getKey())))
                        .collect(Collectors.joining(", "));
        String wrong = mistakes == 0 ? "" : "; " + mistakes + (mistakes == 1 ? " mistake" : " mistakes");
        return MessageText.oneLine("JobBuilder " + (name.isEmpty() ? "without a name" : name) + " (" + framework + "): "
                + given + "; settings go to " + scope + wrong);
    }
}

package dev.edl.k8s.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Immutable permission that a request lacked, as the API server names it in its refusal.
 *
 * @param user user name of the request, such as {@code jane}, {@code system:serviceaccount:team:trainer}
 * @param verb refused verb, such as {@code create}
 * @param group the API group; empty for the core group
 * @param resource plural name of the resource, with its subresource if any, such as {@code pods/log}
 * @param names the only objects that the permission covers; empty for all
 * @param namespace namespace of the objects; empty for the whole cluster
 */
public record MissingPermission(
        String user, String verb, String group, String resource, List<String> names, Optional<String> namespace) {
    /** Matches the message of Kubernetes' authorizer, which begins with the object's name if the request has one. */
    private static final Pattern REFUSAL =
            Pattern.compile("(?:\"(?<name>[^\"]+)\" is forbidden: )?User \"(?<user>[^\"]*)\" cannot (?<verb>\\S+)"
                    + " resource \"(?<resource>[^\"]+)\" in API group \"(?<group>[^\"]*)\""
                    + " (?:in the namespace \"(?<namespace>[^\"]+)\"|at the cluster scope)");

    /**
     * Resources whose permissions are granted for named objects only, so that a job cannot write other objects of the
     * kind. Pods are not among them, because their names are known only after creation.
     */
    private static final Set<String> BY_NAME = Set.of("configmaps", "secrets", "services/proxy");

    private static final String ACCOUNT = "system:serviceaccount:";
    private static final String MARK = "kubectl create ";

    /** Parses a refusal; empty for another cause: a quota, a webhook, an admission policy. */
    public static Optional<MissingPermission> in(String refusal) {
        Matcher words = REFUSAL.matcher(refusal);
        if (!words.find()) {
            return Optional.empty();
        }
        String resource = words.group("resource");
        return Optional.of(new MissingPermission(
                words.group("user"),
                words.group("verb"),
                words.group("group"),
                resource,
                Optional.ofNullable(words.group("name")).filter(name -> BY_NAME.contains(resource)).stream()
                        .toList(),
                Optional.ofNullable(words.group("namespace"))));
    }

    /** Returns the message. If it reports a missing permission, the command that grants the permission is appended. */
    public static String withGrantCommand(String message) {
        return message.contains(MARK)
                ? message
                : message
                        + in(message)
                                .map(permission -> granting(permission.command()))
                                .orElse("");
    }

    /** Returns the end of a refusal message: a line for the administrator, and the command on its own line. */
    public static String granting(String command) {
        return "\nTo grant the permission, an administrator runs:\n$ " + command;
    }

    /**
     * Runs requests and returns their result. If a permission is missing, the exception's message has the command that
     * grants it.
     */
    public static <T> T callWithGrantCommand(Supplier<T> requests) {
        try {
            return requests.get();
        } catch (KubernetesClientException e) {
            throw withGrantCommand(e);
        }
    }

    /**
     * Runs requests without a result. If a permission is missing, the exception's message has the command that grants
     * it.
     */
    public static void callWithGrantCommand(Runnable requests) {
        callWithGrantCommand(() -> {
            requests.run();
            return true;
        });
    }

    /** Returns a refusal with the command that grants the missing permission; another failure unchanged. */
    public static KubernetesClientException withGrantCommand(KubernetesClientException refused) {
        String message = withGrantCommand(String.valueOf(refused.getMessage()));
        return refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN || message.equals(refused.getMessage())
                ? refused
                : new KubernetesClientException(message, refused, refused.getCode(), refused.getStatus(), null);
    }

    /**
     * Returns the shell line that grants the permission: {@code kubectl create role … && kubectl create rolebinding …}.
     */
    public String command() {
        return command(List.of(verb));
    }

    /** Returns the shell line that grants these verbs for the objects of this permission. */
    public String command(List<String> verbs) {
        return command(
                "edl-" + (isAccount() ? user.substring(user.lastIndexOf(':') + 1) : user.replace('/', '-')) + "-"
                        + resource.replace('/', '-') + "-" + verb,
                verbs);
    }

    /**
     * Returns the shell line that grants these verbs for the objects of this permission, by a role and a binding of the
     * given name.
     */
    public String command(String name, List<String> verbs) {
        String kind = namespace.isEmpty() ? "clusterrole" : "role";
        String in = namespace.map(where -> " --namespace " + where).orElse("");
        return MARK + kind + " " + quoted(name) + in + " --verb=" + String.join(",", verbs) + " --resource="
                + withSubresourceLast()
                + String.join(
                        "", names.stream().map(one -> " --resource-name=" + one).toList())
                + " && " + MARK + kind + "binding " + quoted(name) + in + " --" + kind + "=" + quoted(name) + " "
                + (isAccount() ? "--serviceaccount=" + user.substring(ACCOUNT.length()) : "--user=" + quoted(user));
    }

    private boolean isAccount() {
        return user.startsWith(ACCOUNT);
    }

    /** Returns the resource in kubectl's form, with the group before the subresource. */
    private String withSubresourceLast() {
        String[] parts = resource.split("/", 2);
        return Stream.of(parts[0], group)
                        .filter(part -> !part.isEmpty())
                        .reduce((a, b) -> a + "." + b)
                        .orElse("")
                + (parts.length > 1 ? "/" + parts[1] : "");
    }

    private static String quoted(String word) {
        return word.matches("[\\w.:@%+=/-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}

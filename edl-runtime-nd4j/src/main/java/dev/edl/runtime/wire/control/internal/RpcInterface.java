package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The abstract methods of an interface as requests over a connection. Immutable.
 *
 * <p>A request has a method's name, and its arguments in order as a JSON array. The body of the response is the result;
 * it is null for a method without a result and for an empty {@link Optional}. {@link MessageJson} has the types. A
 * {@link LongConsumer} is a callback, which is sent as null.
 *
 * <pre>{@code
 * RpcInterface<MasterPort> master = RpcInterface.of(MasterPort.class);
 * MasterPort port = master.stub("the master", (method, arguments) -> ...);  // at the caller
 * Object result = master.invoke(target, name, arguments, noCallback);       // at the called end
 * }</pre>
 */
public final class RpcInterface<T> {
    private static final Object[] NONE = {};

    private final Class<T> type;
    private final Map<String, Method> methods;

    /** Sends the request of a method. */
    @FunctionalInterface
    public interface Caller {
        /** Returns the method's result. */
        @Nullable
        Object call(Method method, Object[] arguments) throws InterruptedException;
    }

    private RpcInterface(Class<T> type, Map<String, Method> methods) {
        this.type = type;
        this.methods = methods;
    }

    /**
     * Returns the requests of an interface.
     *
     * @throws IllegalArgumentException when two methods have the same name, which a request could not distinguish
     */
    public static <T> RpcInterface<T> of(Class<T> type) {
        Map<String, Method> methods = new TreeMap<>();
        for (Method method : type.getMethods()) {
            if (!method.isDefault() && methods.put(method.getName(), method) != null) {
                throw new IllegalArgumentException(type.getName() + " has two methods " + method.getName()
                        + "; a remote interface needs a name for each");
            }
        }
        return new RpcInterface<>(type, Collections.unmodifiableMap(methods));
    }

    /** Returns the methods by their names. */
    public Map<String, Method> methods() {
        return methods;
    }

    /**
     * Returns an object whose abstract methods are requests. Its default methods run at the caller.
     *
     * @param text result of the object's {@code toString}
     */
    public T stub(String text, Caller caller) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object[] given = arguments == null ? NONE : arguments;
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, given);
                    }
                    return switch (method.getName()) {
                        case "equals" -> proxy == given[0];
                        case "hashCode" -> text.hashCode();
                        case "toString" -> text;
                        default -> caller.call(method, given);
                    };
                }));
    }

    /** Returns arguments as they are sent. */
    public static JsonNode sent(Object... arguments) {
        return MessageJson.tree(Arrays.stream(arguments)
                .map(argument -> argument instanceof LongConsumer ? null : argument)
                .toArray());
    }

    /** Returns the type of a method's result, or of its value if it is an {@link Optional}. */
    public static Class<?> result(Method method) {
        return method.getReturnType() == Optional.class
                ? (Class<?>) ((ParameterizedType) method.getGenericReturnType()).getActualTypeArguments()[0]
                : method.getReturnType();
    }

    /** Returns the result of a method from the body of a response. */
    public static @Nullable Object result(Method method, JsonNode body) {
        Type type = method.getGenericReturnType();
        if (type == void.class) {
            return null;
        }
        if (method.getReturnType() == Optional.class) {
            return body.isNull() ? Optional.empty() : Optional.of(MessageJson.value(body, result(method)));
        }
        return MessageJson.value(body, type);
    }

    /**
     * Calls a method of the target.
     *
     * @param arguments arguments as they were sent
     * @param callback callback of the method, if it has one
     * @throws IllegalArgumentException when the interface has no such method, or not with these arguments
     */
    public @Nullable Object invoke(T target, String name, JsonNode arguments, LongConsumer callback)
            throws InterruptedException {
        Method method = methods.get(name);
        if (method == null) {
            throw new IllegalArgumentException("\"" + name + "\" is not a request of a " + type.getSimpleName());
        }
        Type[] types = method.getGenericParameterTypes();
        if (!arguments.isArray() || arguments.size() != types.length) {
            throw new IllegalArgumentException(name + " takes a list of " + types.length + " arguments");
        }
        Object[] given = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            given[i] = types[i] == LongConsumer.class ? callback : argument(name, i, arguments.get(i), types[i]);
        }
        try {
            return method.invoke(target, given);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(name, e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(type.getName() + " must be public", e);
        }
    }

    private static Object argument(String name, int index, JsonNode argument, Type type) {
        if (argument.isNull()) {
            throw new IllegalArgumentException(name + ": argument " + (index + 1) + " is missing");
        }
        try {
            return MessageJson.value(argument, type);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": argument " + (index + 1) + ": " + e.getMessage(), e);
        }
    }

    /** Returns the signatures of the requests, by which two processes compare their versions. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        methods.values().forEach(method -> text.append(method.toGenericString()).append('\n'));
        return text.toString();
    }
}

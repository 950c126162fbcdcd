package dev.edl.notebook.jjava;

import java.util.Map;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

/** JShell engine that compiles snippets without running them. */
final class NothingRuns implements ExecutionControl, ExecutionControlProvider {
    @Override
    public String name() {
        return "nothing-runs";
    }

    @Override
    public ExecutionControl generate(ExecutionEnv env, Map<String, String> parameters) {
        return this;
    }

    @Override
    public void load(ClassBytecodes[] classes) {}

    @Override
    public void redefine(ClassBytecodes[] classes) {}

    @Override
    public String invoke(String className, String methodName) {
        return "";
    }

    @Override
    public String varValue(String className, String varName) {
        return "";
    }

    @Override
    public void addToClasspath(String path) {}

    @Override
    public void stop() {}

    @Override
    public Object extensionCommand(String command, Object arg) {
        throw new UnsupportedOperationException(command);
    }

    @Override
    public void close() {}
}

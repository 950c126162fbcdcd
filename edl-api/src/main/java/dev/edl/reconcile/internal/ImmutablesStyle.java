package dev.edl.reconcile.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/**
 * Style of the implementations that Immutables generates for {@link dev.edl.reconcile.JobState} and
 * {@link dev.edl.reconcile.ReplicaState}: package-private, with methods that return a copy with one changed attribute.
 */
@Target({ElementType.TYPE, ElementType.PACKAGE})
@Retention(RetentionPolicy.CLASS)
@Value.Style(
        typeImmutable = "Immutable*",
        visibility = Value.Style.ImplementationVisibility.PACKAGE,
        jdkOnly = true,
        depluralize = false,
        deferCollectionAllocation = true)
public @interface ImmutablesStyle {}

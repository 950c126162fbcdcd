@NullMarked
package dev.edl.k8s.controller;

import org.jspecify.annotations.NullMarked;

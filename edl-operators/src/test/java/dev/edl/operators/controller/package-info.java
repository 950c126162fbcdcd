@NullMarked
package dev.edl.operators.controller;

import org.jspecify.annotations.NullMarked;

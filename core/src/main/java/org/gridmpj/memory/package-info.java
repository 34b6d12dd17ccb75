/**
 * How bytes are copied, and how threads and processes of one machine order what they write and read. Any layer may use it; it
 * imports nothing of ours.
 */
@NullMarked
package org.gridmpj.memory;

import org.jspecify.annotations.NullMarked;

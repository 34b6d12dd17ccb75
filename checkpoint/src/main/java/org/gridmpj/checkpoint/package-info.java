/**
 * Snapshots: capture, image format, store, commit and restore.
 *
 * <pre>
 *   org.gridmpj.ateam.Ateam, mpj.UserProgWrapper        what programs call
 *                    │
 *            ProgramSnapshots ──────▶ SnapshotEngine     core: markers, freeze, thaw
 *              │           │
 *      ProgramState    ImageWriter                       copy in memory, then a background thread
 *                          │
 *                    SnapshotStore ◀── EpochLedger        in the launcher: commit, abandon, choice, quarantine
 * </pre>
 *
 * The format of an image and of the store's folder is in docs/design/0004-snapshot-format.md.
 */
@NullMarked
package org.gridmpj.checkpoint;

import org.jspecify.annotations.NullMarked;

package org.gridmpj.capture.instrument;

import org.objectweb.asm.ClassWriter;

/** Computes stack map frames without loading a class. */
final class HierarchyWriter extends ClassWriter {
    private final ClassHierarchy hierarchy;

    HierarchyWriter(ClassHierarchy hierarchy) {
        super(ClassWriter.COMPUTE_FRAMES);
        this.hierarchy = hierarchy;
    }

    @Override
    protected String getCommonSuperClass(String a, String b) {
        return hierarchy.commonSuperclass(a, b);
    }
}

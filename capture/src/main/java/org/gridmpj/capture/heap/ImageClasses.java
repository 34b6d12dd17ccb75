package org.gridmpj.capture.heap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The classes of an image, which names each when it first refers to it. Confined to one thread. */
final class ImageClasses {
    private final ClassLoader loader;
    private final List<Class<?>> byIndex = new ArrayList<>();

    /** @param loader finds the program's classes */
    ImageClasses(ClassLoader loader) {
        this.loader = loader;
    }

    /** The class that is referred to here; it is loaded, not initialized. */
    Class<?> next(ImageInput in) throws IOException, ClassNotFoundException {
        int index = in.getInt();
        if (index < 0 || index > byIndex.size()) {
            throw new ImageMismatchException(
                    "the image has class number " + index + " of " + byIndex.size() + ": it is corrupt");
        }
        if (index < byIndex.size()) {
            return byIndex.get(index);
        }
        Class<?> type = named(in.getText());
        String signature = in.getText();
        if (!type.isArray()) {
            String own = Shape.of(type).signature();
            if (!own.equals(signature)) {
                throw ImageMismatchException.ofAnotherProgram(
                        "class " + type.getName() + " has other fields in this process. In the image: "
                                + signature + " Here: " + own + " Run the program"
                                + (JdkConstants.isOfTheProcess(type) ? " with the JDK or GridMPJ" : "")
                                + " that the snapshot was taken of",
                        null);
            }
        }
        byIndex.add(type);
        return type;
    }

    Class<?> named(String name) throws ClassNotFoundException {
        return LambdaFactory.named(name, loader);
    }

    void clear() {
        byIndex.clear();
    }
}

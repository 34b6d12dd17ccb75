package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a class that reads and writes the fields of another one, without a loop and with constants for all that reflection would
 * look up: the compiler makes plain loads and stores of them. The class is hidden and of this package; it has the fields as
 * method handles, so it needs neither to see the program's classes nor to be of their package.
 *
 * <pre>
 *   write   output.writeInt((int) getter_0.invokeExact(object)); kryo.writeClassAndObject(output, getter_1…); …
 *   read    object = PlainClass.make(constructor); kryo.reference(object); setter_0.invokeExact(object, input.readInt()); …
 *   record  local_0 = input.readInt(); …; return canonical.invokeExact(local_1, local_0, …)
 * </pre>
 */
final class FieldCode {
    /** Code is not compiled above 8000 bytes a method. */
    private static final int MOST_FIELDS = 200;

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final String NAME = FieldCode.class.getPackageName() + ".MadeAccess";
    private static final ClassDesc SUPER = desc(FieldAccess.class);
    private static final ClassDesc KRYO = desc(GraphKryo.class);
    private static final ClassDesc OUTPUT = desc(Output.class);
    private static final ClassDesc INPUT = desc(Input.class);
    private static final ClassDesc CONSTRUCTOR = desc(Constructor.class);
    private static final MethodTypeDesc WRITE =
            MethodTypeDesc.of(ConstantDescs.CD_void, KRYO, OUTPUT, ConstantDescs.CD_Object);
    private static final MethodTypeDesc READ = MethodTypeDesc.of(ConstantDescs.CD_Object, KRYO, INPUT);
    private static final MethodTypeDesc WRITE_OBJECT =
            MethodTypeDesc.of(ConstantDescs.CD_void, OUTPUT, ConstantDescs.CD_Object);
    private static final MethodTypeDesc WRITE_TEXT =
            MethodTypeDesc.of(ConstantDescs.CD_void, OUTPUT, ConstantDescs.CD_String);
    private static final MethodTypeDesc READ_OBJECT = MethodTypeDesc.of(ConstantDescs.CD_Object, INPUT);
    private static final MethodTypeDesc REFUSED =
            MethodTypeDesc.of(desc(RuntimeException.class), ConstantDescs.CD_Class, ConstantDescs.CD_Throwable);
    private static final MethodTypeDesc MAKE = MethodTypeDesc.of(ConstantDescs.CD_Object, CONSTRUCTOR);

    private static final int KRYO_SLOT = 1;
    private static final int STREAM_SLOT = 2;
    private static final int OBJECT_SLOT = 3;

    private static final ClassValue<Made> MADE = new ClassValue<>() {
        @Override
        protected Made computeValue(Class<?> type) {
            PlainRecord plainRecord = PlainRecord.of(type);
            PlainClass plain = PlainClass.of(type);
            return new Made(plainRecord != null ? of(plainRecord) : plain != null ? of(plain) : null);
        }
    };

    /** ClassValue keeps no nulls. */
    private record Made(@Nullable FieldAccess access) {}

    private final List<Field> fields;
    /** What the class has as constants, in the order in which its code names them. */
    private final List<Object> constants = new ArrayList<>();

    private FieldCode(List<Field> fields) {
        this.fields = fields;
    }

    /** Code for a {@link PlainClass} or {@link PlainRecord}, or null where none can be made. */
    static @Nullable FieldAccess of(Class<?> type) {
        return MADE.get(type).access();
    }

    private static @Nullable FieldAccess of(PlainClass plain) {
        return new FieldCode(plain.fields()).make(code -> code.readClass(plain.constructor()));
    }

    private static @Nullable FieldAccess of(PlainRecord plain) {
        return new FieldCode(plain.fields()).make(code -> code.readRecord(plain));
    }

    /** Prepares constants, and gives what emits the body of read. */
    private interface Reading {
        Consumer<CodeBuilder> of(FieldCode code) throws IllegalAccessException;
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    private @Nullable FieldAccess make(Reading reading) {
        if (fields.size() > MOST_FIELDS) {
            return null;
        }
        try {
            for (Field field : fields) {
                MethodHandle getter = LOOKUP.unreflectGetter(field);
                constants.add(getter.asType(
                        getter.type().changeParameterType(0, Object.class).changeReturnType(carrier(field))));
            }
            Consumer<CodeBuilder> read = reading.of(this);
            byte[] bytes = ClassFile.of().build(ClassDesc.of(NAME), made -> build(made, read));
            Class<?> made = LOOKUP.defineHiddenClassWithClassData(bytes, List.copyOf(constants), true)
                    .lookupClass();
            return (FieldAccess) made.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private void build(ClassBuilder made, Consumer<CodeBuilder> read) {
        made.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                .withSuperclass(SUPER)
                .withMethodBody(
                        ConstantDescs.INIT_NAME,
                        ConstantDescs.MTD_void,
                        0,
                        code -> code.aload(0)
                                .invokespecial(SUPER, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                .return_())
                .withMethodBody("write", WRITE, 0, this::write)
                .withMethodBody("read", READ, 0, read);
    }

    /** The type that a field's value has in the code: classes of the program are not named there. */
    private static Class<?> carrier(Field field) {
        Class<?> type = field.getType();
        return type.isPrimitive() || type == String.class ? type : Object.class;
    }

    private static String suffix(Class<?> primitive) {
        String name = primitive.getName();
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static void load(CodeBuilder code, ClassDesc type, int constant) {
        code.loadConstant(DynamicConstantDesc.ofNamed(
                ConstantDescs.BSM_CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, type, constant));
    }

    private void write(CodeBuilder code) {
        for (int i = 0; i < fields.size(); i++) {
            Class<?> carrier = carrier(fields.get(i));
            ClassDesc value = desc(carrier);
            if (!carrier.isPrimitive()) {
                code.aload(KRYO_SLOT);
            }
            code.aload(STREAM_SLOT);
            load(code, ConstantDescs.CD_MethodHandle, i);
            code.aload(OBJECT_SLOT)
                    .invokevirtual(
                            ConstantDescs.CD_MethodHandle,
                            "invokeExact",
                            MethodTypeDesc.of(value, ConstantDescs.CD_Object));
            if (carrier.isPrimitive()) {
                code.invokevirtual(
                        OUTPUT, "write" + suffix(carrier), MethodTypeDesc.of(ConstantDescs.CD_void, written(carrier)));
            } else if (carrier == String.class) {
                code.invokevirtual(KRYO, "writeText", WRITE_TEXT);
            } else {
                code.invokevirtual(KRYO, "writeClassAndObject", WRITE_OBJECT);
            }
        }
        code.return_();
    }

    /** Kryo's streams take some small numbers as int. */
    private static ClassDesc written(Class<?> primitive) {
        return primitive == short.class ? ConstantDescs.CD_int : desc(primitive);
    }

    /** Reads a value onto the stack, of the field's carrier. */
    private static void read(CodeBuilder code, Class<?> carrier) {
        if (carrier.isPrimitive()) {
            code.aload(STREAM_SLOT).invokevirtual(INPUT, "read" + suffix(carrier), MethodTypeDesc.of(desc(carrier)));
            return;
        }
        code.aload(KRYO_SLOT).aload(STREAM_SLOT).invokevirtual(KRYO, "readClassAndObject", READ_OBJECT);
        if (carrier == String.class) {
            code.checkcast(ConstantDescs.CD_String);
        }
    }

    private Consumer<CodeBuilder> readClass(Constructor<?> constructor) throws IllegalAccessException {
        int make = constants.size();
        constants.add(constructor);
        for (Field field : fields) {
            MethodHandle setter = LOOKUP.unreflectSetter(field);
            constants.add(setter.asType(
                    setter.type().changeParameterType(0, Object.class).changeParameterType(1, carrier(field))));
        }
        return code -> {
            load(code, CONSTRUCTOR, make);
            code.invokestatic(desc(PlainClass.class), "make", MAKE)
                    .astore(OBJECT_SLOT)
                    .aload(KRYO_SLOT)
                    .aload(OBJECT_SLOT)
                    .invokevirtual(
                            KRYO, "reference", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object));
            for (int i = 0; i < fields.size(); i++) {
                Class<?> carrier = carrier(fields.get(i));
                load(code, ConstantDescs.CD_MethodHandle, make + 1 + i);
                code.aload(OBJECT_SLOT);
                read(code, carrier);
                code.invokevirtual(
                        ConstantDescs.CD_MethodHandle,
                        "invokeExact",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, desc(carrier)));
            }
            code.aload(OBJECT_SLOT).areturn();
        };
    }

    private Consumer<CodeBuilder> readRecord(PlainRecord plain) throws IllegalAccessException {
        MethodHandle canonical = LOOKUP.unreflectConstructor(plain.canonical());
        Class<?>[] parameters = new Class<?>[fields.size()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[plain.positions().get(i)] = carrier(fields.get(i));
        }
        int make = constants.size();
        constants.add(canonical.asType(MethodType.methodType(Object.class, parameters)));
        constants.add(plain.type());
        ClassDesc[] descs = new ClassDesc[parameters.length];
        for (int i = 0; i < descs.length; i++) {
            descs[i] = desc(parameters[i]);
        }
        MethodTypeDesc signature = MethodTypeDesc.of(ConstantDescs.CD_Object, descs);
        return code -> {
            int[] slots = new int[parameters.length];
            for (int i = 0; i < slots.length; i++) {
                Class<?> carrier = carrier(fields.get(i));
                TypeKind kind = TypeKind.from(carrier);
                int slot = code.allocateLocal(kind);
                slots[plain.positions().get(i)] = slot;
                read(code, carrier);
                code.storeLocal(kind, slot);
            }
            code.trying(
                    block -> {
                        load(block, ConstantDescs.CD_MethodHandle, make);
                        for (int i = 0; i < slots.length; i++) {
                            block.loadLocal(TypeKind.from(parameters[i]), slots[i]);
                        }
                        block.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", signature)
                                .areturn();
                    },
                    catches -> catches.catchingAll(block -> {
                        int thrown = block.allocateLocal(TypeKind.REFERENCE);
                        block.astore(thrown);
                        load(block, ConstantDescs.CD_Class, make + 1);
                        block.aload(thrown)
                                .invokestatic(desc(PlainRecord.class), "refused", REFUSED)
                                .athrow();
                    }));
        };
    }
}

//! What `#[derive(DeviceCopy)]` says of a type is where rustc has put it.

use gridfn::prelude::*;
use gridfn::runtime::leaves;
use gridfn_ir::{Enum, Field, Scalar as ScalarType, Struct, Type};
use std::marker::PhantomData;

fn structure<T: DeviceCopy>() -> &'static Struct {
    match T::TYPE {
        Type::Struct(s) => s,
        other => panic!("{other} is no struct"),
    }
}

fn enumeration<T: DeviceCopy>() -> &'static Enum {
    match T::TYPE {
        Type::Enum(e) => e,
        other => panic!("{other} is no enum"),
    }
}

/// The place of a field in a value.
macro_rules! at {
    ($value:expr, $place:expr) => {
        (&raw const $place).addr() - (&raw const $value).addr()
    };
}

/// The bytes of each leaf of a value.
fn leaves_of<T: DeviceCopy>(value: T) -> Vec<Vec<u8>> {
    let mut found = vec![];
    // SAFETY: the type is that of the value.
    unsafe {
        leaves::walk(&T::TYPE, (&raw const value).cast(), &mut |leaf| {
            let mut bytes = vec![0xEE; leaf.bytes()];
            leaf.copy_to(bytes.as_mut_ptr());
            found.push(bytes);
        });
    }
    found
}

/// The same bytes of a list of numbers.
macro_rules! bytes {
    ($($value:expr),*) => {
        vec![$($value.to_ne_bytes().to_vec()),*]
    };
}

fn names(fields: &[Field]) -> Vec<&str> {
    fields.iter().map(|f| f.name).collect()
}

#[derive(Clone, Copy, DeviceCopy)]
struct Mixed {
    a: bool,
    b: u64,
    c: i8,
    d: [f32; 3],
    r#type: u16,
}

#[derive(Clone, Copy, DeviceCopy)]
struct Pair<T, U: Copy, const N: usize>(T, [U; N], PhantomData<U>)
where
    T: Copy;

#[derive(Clone, Copy, DeviceCopy)]
#[repr(align(16))]
struct Wide(f32);

#[derive(Clone, Copy, DeviceCopy)]
struct Nothing;

#[derive(Clone, Copy, DeviceCopy)]
struct Empty {}

#[test]
fn fields_are_where_rustc_has_put_them() {
    let value = Mixed {
        a: true,
        b: 2,
        c: -3,
        d: [4.0, 5.0, 6.0],
        r#type: 7,
    };
    let s = structure::<Mixed>();
    assert_eq!((s.name, s.size), ("Mixed", size_of::<Mixed>()));
    assert_eq!(names(s.fields), ["a", "b", "c", "d", "type"]);
    let offsets: Vec<usize> = s.fields.iter().map(|f| f.offset).collect();
    let expected = [
        at!(value, value.a),
        at!(value, value.b),
        at!(value, value.c),
        at!(value, value.d),
        at!(value, value.r#type),
    ];
    assert_eq!(offsets, expected);
    let d = bytes![4f32, 5f32, 6f32].concat();
    let expected = [
        vec![1],
        bytes![2u64].concat(),
        vec![0xFD],
        d,
        bytes![7u16].concat(),
    ];
    assert_eq!(leaves_of(value), expected);
}

#[test]
fn a_generic_struct_has_a_type_for_each_instance() {
    let value = Pair::<Mixed, u16, 2>(
        Mixed {
            a: false,
            b: 0,
            c: 0,
            d: [0.0; 3],
            r#type: 0,
        },
        [1, 2],
        PhantomData,
    );
    let s = structure::<Pair<Mixed, u16, 2>>();
    assert_eq!(names(s.fields), ["0", "1", "2"]);
    assert!(s.fields[0].ty.same(Mixed::TYPE));
    assert!(s.fields[1].ty.same(<[u16; 2]>::TYPE));
    assert_eq!(
        (s.fields[0].offset, s.fields[1].offset),
        (at!(value, value.0), at!(value, value.1))
    );
    assert_eq!(structure::<Pair<u8, u64, 3>>().size, 32);
}

#[test]
fn alignment_is_in_the_size() {
    assert_eq!(structure::<Wide>().size, 16);
    assert_eq!(structure::<(u8, Wide)>().size, 32);
    assert_eq!(<[Wide; 3]>::TYPE.size(), Some(48));
    assert_eq!(leaves_of([Wide(1.0), Wide(2.0)]), [bytes![1f32, 2f32].concat()]);
}

#[test]
fn what_has_no_bytes_is_a_struct_without_fields() {
    for s in [structure::<Nothing>(), structure::<Empty>()] {
        assert_eq!((s.fields, s.size), (&[][..], 0));
    }
    assert_eq!(leaves_of((Nothing, Empty {}, [Nothing; 4])), [[]; 0]);
}

#[derive(Clone, Copy, DeviceCopy)]
enum Plain {
    A,
    B = 7,
    C,
}

#[derive(Clone, Copy, DeviceCopy)]
enum Signed {
    A = -1,
    B = 300,
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(u64)]
enum Long {
    A = u64::MAX,
    B = 1 << 40,
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
enum OfC {
    A,
    B = -5,
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(u8, align(8))]
enum Aligned {
    A = 1,
    B,
}

#[derive(Clone, Copy, DeviceCopy)]
enum One {
    A = 300,
}

fn discriminants<T: DeviceCopy>() -> Vec<u64> {
    enumeration::<T>()
        .variants
        .iter()
        .map(|v| v.discriminant)
        .collect()
}

#[test]
fn an_enum_without_fields_is_its_discriminant() {
    assert_eq!(discriminants::<Plain>(), [0, 7, 8]);
    assert_eq!(
        (enumeration::<Plain>().tag, enumeration::<Plain>().size),
        (ScalarType::U8, Some(1))
    );
    assert_eq!(discriminants::<Signed>(), [0xFFFF, 300]);
    assert_eq!(
        (enumeration::<Signed>().tag, enumeration::<Signed>().size),
        (ScalarType::I16, Some(2))
    );
    assert_eq!(discriminants::<Long>(), [u64::MAX, 1 << 40]);
    assert_eq!(enumeration::<Long>().tag, ScalarType::U64);
    assert_eq!(discriminants::<OfC>(), [0, -5i32 as u32 as u64]);
    assert_eq!(
        (enumeration::<OfC>().tag, enumeration::<OfC>().size),
        (ScalarType::I32, Some(4))
    );
    assert_eq!(
        (enumeration::<Aligned>().tag, enumeration::<Aligned>().size),
        (ScalarType::U8, Some(8))
    );
    assert_eq!(discriminants::<Aligned>(), [1, 2]);
    assert_eq!(
        (discriminants::<One>(), enumeration::<One>().size),
        (vec![300], Some(0))
    );

    assert_eq!(leaves_of([Plain::A, Plain::B, Plain::C]), [[0, 7, 8]]);
    assert_eq!(
        leaves_of([Signed::A, Signed::B]),
        [bytes![-1i16, 300i16].concat()]
    );
    assert_eq!(leaves_of((Long::A, Long::B)), bytes![u64::MAX, 1u64 << 40]);
    assert_eq!(leaves_of((OfC::A, OfC::B)), bytes![0i32, -5i32]);
    assert_eq!(leaves_of([Aligned::A, Aligned::B]), [[1, 2]]);
    assert_eq!(leaves_of(One::A).len(), 1);
    assert_eq!(leaves_of(std::cmp::Ordering::Less), [[0xFF]]);
}

/// Enums with fields, of each kind of layout.
macro_rules! with_fields {
    ($($name:ident, $repr:meta;)*) => {$(
        #[derive(Clone, Copy, DeviceCopy)]
        #[$repr]
        enum $name<T> {
            A,
            B(u8, u64, T),
            C { x: [u16; 3], y: Plain },
            D(Wide),
        }
    )*};
}
with_fields! {
    Tagged, repr(u8);
    Tagged64, repr(i64);
    OfCWithFields, repr(C);
    OfCTagged, repr(C, u16);
}

#[test]
fn an_enum_with_fields_is_where_the_reference_says() {
    macro_rules! check {
        ($($name:ident $tag:ident $bytes:literal;)*) => {$(
            let e = enumeration::<$name<f32>>();
            assert_eq!((e.tag, e.size), (ScalarType::$tag, Some(size_of::<$name<f32>>())), stringify!($name));
            let b = $name::B(1, 2, 3f32);
            let $name::B(x, y, z) = &b else { unreachable!() };
            let offsets: Vec<usize> = e.variants[1].fields.iter().map(|f| f.offset).collect();
            assert_eq!(offsets, [at!(b, *x), at!(b, *y), at!(b, *z)], stringify!($name));
            let c = $name::<f32>::C { x: [4, 5, 6], y: Plain::B };
            let $name::C { x, y } = &c else { unreachable!() };
            let offsets: Vec<usize> = e.variants[2].fields.iter().map(|f| f.offset).collect();
            assert_eq!(offsets, [at!(c, *x), at!(c, *y)], stringify!($name));
            let d = $name::<f32>::D(Wide(7.0));
            let $name::D(x) = &d else { unreachable!() };
            assert_eq!(e.variants[3].fields[0].offset, at!(d, *x), stringify!($name));

            let tag = |n: u8| {
                let mut bytes = vec![0; $bytes];
                bytes[0] = n;
                bytes
            };
            let none = vec![vec![0], vec![0; 8], vec![0; 4], vec![0; 6], vec![0], vec![0; 4]];
            let mut expected = [vec![tag(0)], none].concat();
            assert_eq!(leaves_of($name::<f32>::A), expected, stringify!($name));
            expected[0] = tag(1);
            expected[1..4].clone_from_slice(&[vec![1], bytes![2u64].concat(), bytes![3f32].concat()]);
            assert_eq!(leaves_of(b), expected, stringify!($name));
            let expected = [
                vec![tag(2), vec![0], vec![0; 8], vec![0; 4]],
                vec![bytes![4u16, 5u16, 6u16].concat(), vec![7], vec![0; 4]],
            ];
            assert_eq!(leaves_of(c), expected.concat(), stringify!($name));
            assert_eq!(leaves_of(d)[6], bytes![7f32].concat(), stringify!($name));
        )*};
    }
    check! {
        Tagged U8 1;
        Tagged64 I64 8;
        OfCWithFields U32 4;
        OfCTagged U16 2;
    }
}

#[derive(Clone, Copy, DeviceCopy)]
enum Local {
    A(f32),
    B { x: u8 },
}

#[test]
fn an_enum_that_rustc_lays_out_has_no_size() {
    let e = enumeration::<Local>();
    assert_eq!((e.size, e.tag), (None, ScalarType::U32));
    assert_eq!(discriminants::<Local>(), [0, 1]);
    assert_eq!(names(e.variants[1].fields), ["x"]);
    assert_eq!(<Option<u64>>::TYPE.size(), None);
    assert_eq!(<(u8, Option<Local>)>::TYPE.size(), None);
    for value in [Local::A(1.0), Local::B { x: 1 }] {
        assert!(matches!(value, Local::A(1.0) | Local::B { x: 1 }));
    }
}

/// A buffer of aggregates, through everything that a queue does with one.
fn transfers<T: DeviceCopy + PartialEq + std::fmt::Debug>(
    queue: &Queue,
    values: [T; 3],
) -> gridfn::Result<()> {
    let [a, b, c] = values;
    let mut buffer = queue.upload(&values)?;
    assert_eq!(queue.download(&buffer)?, values);
    assert_eq!(*queue.map(&buffer)?, values);
    queue.write(&mut buffer, &[c, b, a])?;
    let mut copy = queue.adopt(values.to_vec())?;
    queue.copy(&buffer, &mut copy)?;
    assert_eq!(copy.into_vec()?, [c, b, a]);
    // More than is filled at once.
    let mut many = queue.adopt(vec![a; 100_000])?;
    queue.fill(&mut many, b)?;
    queue.map_mut(&mut many)?[99_999] = c;
    let many = queue.download(&many)?;
    assert!(many[..99_999].iter().all(|value| *value == b));
    assert_eq!(many[99_999], c);
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Padded {
    a: u8,
    b: [f32; 3],
    c: (u16, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(align(64))]
struct Line(u8);

#[test]
fn buffers_of_aggregates_are_transferred() -> gridfn::Result<()> {
    for device in Device::all() {
        let queue = device.queue()?;
        let padded = [1u8, 2, 3].map(|a| Padded {
            a,
            b: [a.into(); 3],
            c: (a.into(), a == 2),
        });
        transfers(&queue, padded)?;
        transfers(&queue, [Line(1), Line(2), Line(3)])?;
        transfers(&queue, [[1u8, 2, 3], [4, 5, 6], [7, 8, 9]])?;
        transfers(&queue, [(); 3])?;
        transfers(&queue, [1i64, 2, 3])?;
        // Longer than any type of a driver's, and than what is filled at once.
        transfers(&queue, [[1u32; 33], [2; 33], [3; 33]])?;
    }
    Ok(())
}

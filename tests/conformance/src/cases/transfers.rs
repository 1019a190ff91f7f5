//! `upload`, `download`, `zeros`, `write`, `read`, `fill` and `copy`, of every type and in the queue's order.

use crate::case::{Outcome, Suite, case_path, check_eq, check_matches};
use crate::elements::needs;
use crate::samples::{Random, Value};
use gridfn::Error;
use gridfn::prelude::*;

/// Values as bytes, so that a NaN equals itself.
fn bytes<T: Value>(values: &[T]) -> Vec<u8> {
    let len = size_of_val(values);
    // SAFETY: scalars have no padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), len) }.to_vec()
}

fn check_type<T: Value + Default + PartialEq>(
    device: &Device,
    zeros: impl Fn(&Queue, usize) -> gridfn::Result<Buffer<T>>,
) -> Outcome {
    let queue = device.queue()?;
    let mut random = Random::of("transfers");
    let mut data = T::edges();
    data.extend((0..500).map(|_| T::random(&mut random)));
    let mut buffer = queue.upload(&data)?;
    check_eq!(buffer.len(), data.len());
    check_eq!(
        bytes(&queue.download(&buffer)?),
        bytes(&data),
        "upload and download"
    );

    data.reverse();
    queue.write(&mut buffer, &data)?;
    let mut back = vec![T::GUARD; data.len()];
    queue.read(&buffer, &mut back)?;
    check_eq!(bytes(&back), bytes(&data), "write and read");

    let mut copy = zeros(&queue, data.len())?;
    check_eq!(queue.download(&copy)?, vec![T::default(); data.len()], "zeros");
    queue.copy(&buffer, &mut copy)?;
    check_eq!(bytes(&queue.download(&copy)?), bytes(&data), "copy");

    for value in T::edges() {
        queue.fill(&mut copy, value)?;
        check_eq!(
            bytes(&queue.download(&copy)?),
            bytes(&vec![value; data.len()]),
            "fill with {value:?}"
        );
    }
    check_eq!(
        bytes(&queue.download(&buffer)?),
        bytes(&data),
        "the source of the copy"
    );

    // No elements are as good as many.
    let (mut none, mut other) = (queue.upload::<T>(&[])?, zeros(&queue, 0)?);
    queue.fill(&mut none, T::GUARD)?;
    queue.copy(&none, &mut other)?;
    queue.write(&mut none, &[])?;
    queue.read(&none, &mut [])?;
    check_eq!(
        (none.len(), other.is_empty(), queue.download(&other)?),
        (0, true, vec![])
    );

    // One element, at which a wrong size of elements would show.
    let mut one = queue.upload(&[T::GUARD])?;
    queue.fill(&mut one, data[0])?;
    check_eq!(bytes(&queue.download(&one)?), bytes(&data[..1]));

    check_eq!(
        queue.write(&mut buffer, &[T::GUARD; 3]),
        Err(Error::Length {
            expected: data.len(),
            found: 3
        })
    );
    check_eq!(
        queue.read(&one, &mut back),
        Err(Error::Length {
            expected: 1,
            found: data.len()
        })
    );
    check_eq!(
        queue.copy(&buffer, &mut one),
        Err(Error::Length {
            expected: data.len(),
            found: 1
        })
    );
    Ok(())
}

#[kernel]
fn double(x: &mut [u32]) {
    let i = global_id(0);
    x[i] *= 2;
}

pub(super) fn add_to(suite: &mut Suite) {
    macro_rules! types {
        ($($t:ident)*) => {$(
            suite.case(case_path!(stringify!($t)), &needs(&[<$t as Value>::NEED]), |device| {
                check_type::<$t>(device, |queue, n| queue.zeros::<$t>(n))
            });
        )*};
    }
    types! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }
    suite.kernel::<double>();
    suite.case(case_path!("in_order"), &[], |device| {
        let queue = device.queue()?;
        let mut x = queue.upload(&[1u32; 1000])?;
        let mut y = queue.zeros::<u32>(1000)?;
        launch!(queue, double(&mut x), global = 1000)?;
        queue.copy(&x, &mut y)?;
        launch!(queue, double(&mut x), global = 1000)?;
        launch!(queue, double(&mut y), global = 500)?;
        queue.fill(&mut x, 7)?;
        launch!(queue, double(&mut x), global = 999)?;
        let mut expected = [14; 1000];
        expected[999] = 7;
        check_eq!(queue.download(&x)?, expected);
        let mut expected = [4; 1000];
        expected[500..].fill(2);
        check_eq!(queue.download(&y)?, expected);
        queue.write(&mut x, &[3; 1000])?;
        launch!(queue, double(&mut x), global = 1000)?;
        check_eq!(queue.download(&x)?, [6; 1000]);
        Ok(())
    });
    suite.case(case_path!("the_source_is_free_after_the_return"), &[], |device| {
        let queue = device.queue()?;
        let mut data = vec![5u32; 100_000];
        let mut x = queue.upload(&data)?;
        data.fill(9);
        launch!(queue, double(&mut x), global = 100_000)?;
        let mut y = queue.zeros::<u32>(100_000)?;
        queue.write(&mut y, &data)?;
        data.fill(0);
        drop(data);
        check_eq!(queue.download(&x)?, vec![10; 100_000]);
        check_eq!(queue.download(&y)?, vec![9; 100_000]);
        Ok(())
    });
    suite.case(case_path!("no_room"), &[], |device| {
        let queue = device.queue()?;
        check_matches!(queue.zeros::<u64>(usize::MAX), Err(Error::OutOfMemory { .. }));
        check_matches!(queue.zeros::<u64>(1 << 57), Err(Error::OutOfMemory { .. }));
        // The queue goes on.
        check_eq!(queue.download(&queue.upload(&[1u8, 2])?)?, [1, 2]);
        Ok(())
    });
}

//! A crate that re-exports gridfn: its users name it by `crate = path`, and have no `gridfn` of their own.

mod library {
    pub(crate) use gridfn as gpu;
}

/// Hides the crate, as it is hidden from a program that does not depend on it.
mod gridfn_is_elsewhere {
    use super::library::gpu::prelude::*;

    #[device(crate = super::library::gpu)]
    fn square(x: f32) -> f32 {
        x * x
    }

    #[kernel(crate = super::library::gpu)]
    fn map<F: Fn(f32) -> f32>(f: F, x: &[f32], y: &mut [f32]) {
        let i = global_id(0);
        y[i] = f(square(x[i]));
    }

    #[derive(KernelArg)]
    #[kernel_arg(crate = super::library::gpu)]
    struct Pair<'a> {
        x: &'a Buffer<f32>,
        y: &'a mut Buffer<f32>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
    #[device_copy(crate = super::library::gpu)]
    #[repr(u8)]
    enum Shape {
        Nothing,
        Circle(f32),
    }

    #[kernel(crate = super::library::gpu)]
    fn shapes(shape: Shape, y: &mut [Shape]) {
        let i = global_id(0);
        y[i] = match (shape, y[i]) {
            (Shape::Circle(_), Shape::Nothing) => shape,
            (_, other) => other,
        };
    }

    #[test]
    fn a_derive_by_another_path() -> super::library::gpu::Result<()> {
        let queue = Device::host().queue()?;
        let mut y = queue.upload(&[Shape::Nothing, Shape::Circle(1.0)])?;
        launch!(
            crate = super::library::gpu,
            queue,
            shapes(Shape::Circle(2.0), &mut y),
            global = 2
        )?;
        assert_eq!(queue.download(&y)?, [Shape::Circle(2.0), Shape::Circle(1.0)]);
        Ok(())
    }

    #[kernel(crate = super::library::gpu)]
    fn copy(p: Pair<'_>) {
        let i = global_id(0);
        p.y[i] = p.x[i];
    }

    #[test]
    fn everything_works_by_another_path() -> super::library::gpu::Result<()> {
        let queue = Device::host().queue()?;
        let x = queue.upload(&[1.0f32, 2.0, 3.0])?;
        let mut y = queue.zeros::<f32>(3)?;
        let k = 2.0;
        launch!(
            crate = super::library::gpu,
            queue,
            map(|v| v + k, &x, &mut y),
            global = 3
        )?;
        assert_eq!(queue.download(&y)?, [3.0, 6.0, 11.0]);
        launch!(
            crate = super::library::gpu,
            queue,
            |i| y[i] = k * x[i],
            global = 3
        )?;
        assert_eq!(queue.download(&y)?, [2.0, 4.0, 6.0]);
        launch!(
            crate = super::library::gpu,
            queue,
            copy(Pair { x: &x, y: &mut y }),
            global = 3
        )?;
        let mut halve = closure!(crate = super::library::gpu, |i| y[i] /= k);
        launch!(crate = super::library::gpu, queue, &mut halve, global = 3)?;
        assert_eq!(queue.download(&y)?, [0.5, 1.0, 1.5]);
        Ok(())
    }
}

use gridfn::prelude::*;

#[derive(Clone, Copy, DeviceCopy, Debug, PartialEq)]
struct P { a: u8, b: f64 }
#[derive(Clone, Copy, DeviceCopy, Debug, PartialEq)]
#[repr(u8)]
enum E { A, B(u32, i16), C { x: f32 } }

#[device]
fn half(x: u32) -> u32 { assert!(x % 2 == 0, "{x} is odd"); x / 2 }

#[device]
impl P { fn get(self) -> u8 { assert_eq!(self.a + 255, 0, "a is {}", self.a); self.a } }
#[device]
fn pos(x: &u32) -> Option<u32> { if *x > 0 { Some(*x) } else { None } }

#[kernel]
fn k(n: u32, t: f32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    match n {
        0 => panic!(),
        1 => panic!("one {i} and {:>6.2}|{t:?}", x[i]  as f32),
        2 => assert!(x[i] > 100),
        3 => assert!(x[i] > 100, "too small: {{{}}} {w:04}", x[i], w = i),
        4 => assert_eq!(x[i], 3),
        5 => assert_ne!(x[i] * 2, 2 * x[i], "for {}", i),
        6 => unreachable!(),
        7 => unreachable!("x {}", true),
        8 => { y[i] = half(x[i]); }
        9 => { let p = P { a: 3, b: 0.5 }; panic!("{p:?} {:?} {:?}", E::B(7, -3), E::C { x: 1.5 }); }
        10 => { let p = P { a: 3, b: 0.5 }; y[i] = p.get() as u32; }
        11 => { y[i] = pos(&x[i]).expect("not {positive}"); }
        12 => { let r = &x[i]; let a = [[1i8, -2], [3, 4]]; panic!("{r} {a:?}"); }
        13 => { for v in x.iter() { assert!(*v > 2, "v {v}"); } }
        14 => { let Some(v) = pos(&x[i]) else { panic!("none") }; y[i] = v; }
        15 => todo!(),
        16 => { std::unimplemented!("{:x}", x[i] + 300) }
        _ => y[i] = 1,
    }
}

fn main() -> gridfn::Result<()> {
    for d in Device::all() {
        let queue = d.queue()?;
        println!("{}", d.info().id);
        let x = queue.upload(&[1u32, 2, 3])?;
        let mut y = queue.zeros::<u32>(3)?;
        for n in 0..18 {
            launch!(queue, k(n, 2.5, &x, &mut y), global = 1)?;
            println!("{n}: {:?}", queue.synchronize());
        }
        let z = 4u32;
        launch!(queue, |i| { assert!(x[i] == z, "x {} z {z}", x[i]); y[i] = 3; }, global = 2)?;
        println!("{:?}", queue.synchronize());
    }
    println!("{}", k::emit(gridfn::Target::Ptx { sm: 70 })?);
    Ok(())
}

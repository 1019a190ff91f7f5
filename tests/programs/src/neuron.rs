//! A step of many neurons, by a kernel with 44 arguments; the model is COBAHH, of the benchmarks of neuron simulators.
//!
//! A membrane is charged by a leak, by sodium and potassium that flow through gates, and by what synapses let in. A gate
//! opens and closes at rates that depend on the voltage. When the voltage passes a level, the neuron has spiked. Here
//! every neuron has its own constants. The arguments are one by one, which a program would rather have in structs, to
//! show that a launch of them allocates nothing.
//!
//! `--n` is the number of neurons; a real one is 100000.

use crate::common;
use crate::counting::allocations;
use gridfn::prelude::*;

/// (eˣ - 1) / x, which is 1 at 0.
#[device]
fn exprel(x: f32) -> f32 {
    if x.abs() < 1e-4 {
        1.0 + 0.5 * x
    } else {
        x.exp_m1() / x
    }
}

/// What share of a gate is open after a step, from what it was and the rates at which it opens and closes.
#[device]
fn gate(share: f32, opening: f32, closing: f32, dt: f32) -> f32 {
    let rate = opening + closing;
    let end = opening / rate;
    end + (share - end) * (-rate * dt).exp()
}

/// One step of length `dt`, in ms; the units of the rest are mV, nS and pF. The state is what is `&mut`.
#[kernel]
#[allow(clippy::too_many_arguments, reason = "that is its point")]
fn step(
    voltage: &mut [f32],
    m: &mut [f32],
    n: &mut [f32],
    h: &mut [f32],
    excitation: &mut [f32],
    inhibition: &mut [f32],
    last_spike: &mut [f32],
    spikes: &mut [u32],
    excited: &[f32],
    inhibited: &[f32],
    capacitance: &[f32],
    leak: &[f32],
    leak_voltage: &[f32],
    sodium: &[f32],
    sodium_voltage: &[f32],
    potassium: &[f32],
    potassium_voltage: &[f32],
    excitation_voltage: &[f32],
    inhibition_voltage: &[f32],
    excitation_time: &[f32],
    inhibition_time: &[f32],
    threshold: &[f32],
    dt: f32,
    now: f32,
    spike_voltage: f32,
    rest_time: f32,
    m_opening: f32,
    m_opening_voltage: f32,
    m_opening_width: f32,
    m_closing: f32,
    m_closing_voltage: f32,
    m_closing_width: f32,
    n_opening: f32,
    n_opening_voltage: f32,
    n_opening_width: f32,
    n_closing: f32,
    n_closing_voltage: f32,
    n_closing_width: f32,
    h_opening: f32,
    h_opening_voltage: f32,
    h_opening_width: f32,
    h_closing: f32,
    h_closing_voltage: f32,
    h_closing_width: f32,
) {
    let i = global_id(0);
    let above = voltage[i] - threshold[i];
    m[i] = gate(
        m[i],
        m_opening * m_opening_width / exprel((m_opening_voltage - above) / m_opening_width),
        m_closing * m_closing_width / exprel((above - m_closing_voltage) / m_closing_width),
        dt,
    );
    n[i] = gate(
        n[i],
        n_opening * n_opening_width / exprel((n_opening_voltage - above) / n_opening_width),
        n_closing * ((n_closing_voltage - above) / n_closing_width).exp(),
        dt,
    );
    h[i] = gate(
        h[i],
        h_opening * ((h_opening_voltage - above) / h_opening_width).exp(),
        h_closing / (1.0 + ((h_closing_voltage - above) / h_closing_width).exp()),
        dt,
    );
    excitation[i] = excitation[i] * (-dt / excitation_time[i]).exp() + excited[i];
    inhibition[i] = inhibition[i] * (-dt / inhibition_time[i]).exp() + inhibited[i];

    let sodium = sodium[i] * m[i] * m[i] * m[i] * h[i];
    let potassium = potassium[i] * n[i] * n[i] * n[i] * n[i];
    let conductance = leak[i] + sodium + potassium + excitation[i] + inhibition[i];
    let end = (leak[i] * leak_voltage[i]
        + sodium * sodium_voltage[i]
        + potassium * potassium_voltage[i]
        + excitation[i] * excitation_voltage[i]
        + inhibition[i] * inhibition_voltage[i])
        / conductance;
    voltage[i] = end + (voltage[i] - end) * (-conductance * dt / capacitance[i]).exp();
    if voltage[i] > spike_voltage && now - last_spike[i] > rest_time {
        spikes[i] += 1;
        last_spike[i] = now;
    }
}

const STATES: usize = 7;
const CONSTANTS: usize = 14;
/// The length of a step, the voltage of a spike, and the time in which no second one counts.
const SCALARS: [f32; 3] = [0.05, -20.0, 3.0];
/// For each gate how fast it opens and closes, and at which voltages above the threshold, over what width.
const RATES: [[f32; 6]; 3] = [
    [0.32, 13.0, 4.0, 0.28, 40.0, 5.0],
    [0.032, 15.0, 5.0, 0.5, 10.0, 40.0],
    [0.128, 17.0, 18.0, 4.0, 40.0, 5.0],
];

/// One neuron: its state and its constants in the order of the kernel's arguments.
#[derive(Clone, Copy)]
struct Neuron {
    state: [f32; STATES],
    spikes: u32,
    constants: [f32; CONSTANTS],
}

impl Neuron {
    /// All are alike, but each is a little different.
    fn random(random: &mut fastrand::Rng) -> Neuron {
        let mut about = |value: f32| value * (0.9 + 0.2 * random.f32());
        Neuron {
            state: [-65.0, 0.05, 0.05, 0.95, 40.0, 100.0, -10.0].map(&mut about),
            spikes: 0,
            constants: [
                1.0, 0.5, 200.0, 10.0, -60.0, 20_000.0, 50.0, 6_000.0, -90.0, 0.0, -80.0, 5.0, 10.0, -63.0,
            ]
            .map(&mut about),
        }
    }

    /// The step from `now` in numbers of 64 bits.
    fn next(&self, now: f32) -> ([f64; STATES], u32) {
        let [v, m, n, h, excitation, inhibition, last] = self.state.map(f64::from);
        let [
            excited,
            inhibited,
            capacitance,
            leak,
            leak_v,
            sodium,
            sodium_v,
            potassium,
            potassium_v,
            rest @ ..,
        ] = self.constants.map(f64::from);
        let [excitation_v, inhibition_v, excitation_t, inhibition_t, threshold] = rest;
        let ([dt, spike, pause], now) = (SCALARS.map(f64::from), f64::from(now));
        let relative = |rate: f64, x: f64, width: f64| rate * x / (1.0 - (-x / width).exp());
        let [
            [ma, ma_v, ma_w, mb, mb_v, mb_w],
            [na, na_v, na_w, nb, nb_v, nb_w],
            [ha, ha_v, ha_w, hb, hb_v, hb_w],
        ] = RATES.map(|rates| rates.map(f64::from));
        let above = v - threshold;
        let moved = |share: f64, alpha: f64, beta: f64| {
            let kept = (-(alpha + beta) * dt).exp();
            share * kept + alpha / (alpha + beta) * (1.0 - kept)
        };
        let m = moved(
            m,
            relative(ma, above - ma_v, ma_w),
            relative(mb, mb_v - above, mb_w),
        );
        let n = moved(
            n,
            relative(na, above - na_v, na_w),
            nb * ((nb_v - above) / nb_w).exp(),
        );
        let h = moved(
            h,
            ha * ((ha_v - above) / ha_w).exp(),
            hb / (1.0 + ((hb_v - above) / hb_w).exp()),
        );
        let excitation = excitation * (-dt / excitation_t).exp() + excited;
        let inhibition = inhibition * (-dt / inhibition_t).exp() + inhibited;
        let flows = [
            (leak, leak_v),
            (sodium * m.powi(3) * h, sodium_v),
            (potassium * n.powi(4), potassium_v),
            (excitation, excitation_v),
            (inhibition, inhibition_v),
        ];
        let conductance: f64 = flows.iter().map(|(g, _)| g).sum();
        let end = flows.iter().map(|(g, v)| g * v).sum::<f64>() / conductance;
        let v = end + (v - end) * (-conductance * dt / capacitance).exp();
        let spiked = v > spike && now - last > pause;
        let last = if spiked { now } else { last };
        (
            [v, m, n, h, excitation, inhibition, last],
            self.spikes + u32::from(spiked),
        )
    }
}

/// The neurons on a device.
struct Population {
    state: [Buffer<f32>; STATES],
    spikes: Buffer<u32>,
    constants: [Buffer<f32>; CONSTANTS],
}

impl Population {
    fn upload(queue: &Queue, neurons: &[Neuron]) -> common::Result<Population> {
        let column =
            |value: &dyn Fn(&Neuron) -> f32| queue.upload(&neurons.iter().map(value).collect::<Vec<f32>>());
        let mut state = vec![];
        for k in 0..STATES {
            state.push(column(&|neuron| neuron.state[k])?);
        }
        let mut constants = vec![];
        for k in 0..CONSTANTS {
            constants.push(column(&|neuron| neuron.constants[k])?);
        }
        let lost = |_| common::failure("one buffer for each of them");
        Ok(Population {
            state: state.try_into().map_err(lost)?,
            spikes: queue.zeros(neurons.len())?,
            constants: constants.try_into().map_err(lost)?,
        })
    }

    /// The neurons as they are now; their constants are those of `neurons`.
    fn download(&self, queue: &Queue, neurons: &[Neuron]) -> common::Result<Vec<Neuron>> {
        let mut now = neurons.to_vec();
        for (k, buffer) in self.state.iter().enumerate() {
            for (neuron, value) in now.iter_mut().zip(queue.download(buffer)?) {
                neuron.state[k] = value;
            }
        }
        for (neuron, spikes) in now.iter_mut().zip(queue.download(&self.spikes)?) {
            neuron.spikes = spikes;
        }
        Ok(now)
    }

    fn step(&mut self, queue: &Queue, now: f32) -> gridfn::Result<()> {
        let [v, m, n, h, excitation, inhibition, last_spike] = &mut self.state;
        let [
            excited,
            inhibited,
            capacitance,
            leak,
            leak_v,
            sodium,
            sodium_v,
            potassium,
            potassium_v,
            rest @ ..,
        ] = &self.constants;
        let [excitation_v, inhibition_v, excitation_t, inhibition_t, threshold] = rest;
        let [dt, spike_v, rest_time] = SCALARS;
        let [
            [ma, ma_v, ma_w, mb, mb_v, mb_w],
            [na, na_v, na_w, nb, nb_v, nb_w],
            [ha, ha_v, ha_w, hb, hb_v, hb_w],
        ] = RATES;
        let neurons = v.len();
        #[rustfmt::skip]
        let result = launch!(
            queue,
            step(
                v, m, n, h, excitation, inhibition, last_spike, &mut self.spikes,
                excited, inhibited, capacitance, leak, leak_v, sodium, sodium_v, potassium, potassium_v,
                excitation_v, inhibition_v, excitation_t, inhibition_t, threshold,
                dt, now, spike_v, rest_time,
                ma, ma_v, ma_w, mb, mb_v, mb_w,
                na, na_v, na_w, nb, nb_v, nb_w,
                ha, ha_v, ha_w, hb, hb_v, hb_w,
            ),
            global = neurons
        );
        result
    }
}

pub(crate) fn run(device: &Device, n: Option<usize>) -> common::Result {
    let n = n.unwrap_or(32);
    // The second ones are checked.
    let (first, second) = (220, 20);
    let time = |step: usize| step as f32 * SCALARS[0];
    let mut random = fastrand::Rng::with_seed(14);
    let neurons: Vec<Neuron> = (0..n).map(|_| Neuron::random(&mut random)).collect();

    let queue = device.queue()?;
    let mut population = Population::upload(&queue, &neurons)?;
    // What the first launches make is kept for the others.
    population.step(&queue, time(0))?;
    population.step(&queue, time(1))?;
    queue.synchronize()?;
    let before = allocations();
    for step in 2..first {
        population.step(&queue, time(step))?;
    }
    queue.synchronize()?;
    let allocations = allocations() - before;

    // Each step is computed from the neurons before it; errors of large values are shares of them.
    let (mut errors, mut spikes, mut wrong) = (vec![], 0, 0);
    let mut old = population.download(&queue, &neurons)?;
    for step in first..first + second {
        population.step(&queue, time(step))?;
        let new = population.download(&queue, &neurons)?;
        for (old, new) in old.iter().zip(&new) {
            let (state, count) = old.next(time(step));
            let found = new.state.map(f64::from).into_iter();
            errors.extend(
                found
                    .zip(state)
                    .map(|(found, state)| (found - state) / state.abs().max(1.0)),
            );
            spikes += count - old.spikes;
            wrong += usize::from(new.spikes != count);
        }
        old = new;
    }
    println!("neurons {n}, steps {}", first + second);
    println!("allocations {allocations} in {} launches", first - 2);
    println!("spikes {spikes} in {second} steps, wrong {wrong}");
    if allocations > 0 {
        return Err(common::failure("a launch allocates"));
    }
    if wrong > 0 || spikes == 0 {
        return Err(common::failure("these are not the spikes"));
    }
    common::within("max error", errors, 1e-5)
}

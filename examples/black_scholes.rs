//! The prices of options by the formula of Black and Scholes.
//!
//! ```text
//! cargo run --release --example black_scholes -- --n 4000000
//! ```

mod common;

use gridfn::prelude::*;
use std::f32::consts::TAU;

/// The right to buy, or to sell.
#[derive(Clone, Copy, PartialEq, DeviceCopy)]
enum Kind {
    Call,
    Put,
}

/// The right to buy or sell a share at the price `strike`, in so many years.
#[derive(Clone, Copy, DeviceCopy)]
struct Contract {
    kind: Kind,
    /// The share's price today.
    spot: f32,
    strike: f32,
    years: f32,
}

/// What is the same for all contracts, per year.
#[derive(Clone, Copy, DeviceCopy)]
struct Market {
    interest: f32,
    volatility: f32,
}

/// The probability that a standard normal variable is below `x`: formula 26.2.17 of Abramowitz and Stegun's Handbook
/// of Mathematical Functions, off by 7.5e-8 at most.
#[device]
fn normal(x: f32) -> f32 {
    const COEFFICIENTS: [f32; 5] = [0.319_381_53, -0.356_563_78, 1.781_477_9, -1.821_256, 1.330_274_4];
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let mut polynomial = 0.0;
    for coefficient in COEFFICIENTS.iter().rev() {
        polynomial = (polynomial + coefficient) * t;
    }
    let tail = (-0.5 * x * x).exp() / TAU.sqrt() * polynomial;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// What the contract is worth today.
#[device]
fn price(contract: &Contract, market: Market) -> f32 {
    let Contract {
        kind,
        spot,
        strike,
        years,
    } = *contract;
    let spread = market.volatility * years.sqrt();
    let d1 = ((spot / strike).ln() + market.interest * years) / spread + 0.5 * spread;
    let d2 = d1 - spread;
    let strike_today = strike * (-market.interest * years).exp();
    match kind {
        Kind::Call => spot * normal(d1) - strike_today * normal(d2),
        Kind::Put => strike_today * normal(-d2) - spot * normal(-d1),
    }
}

#[kernel]
fn black_scholes(market: Market, contracts: &[Contract], prices: &mut [f32]) {
    let i = global_id(0);
    prices[i] = price(&contracts[i], market);
}

/// Contracts in pairs, a call and a put of the same terms.
fn contracts(pairs: usize) -> Vec<Contract> {
    let mut random = fastrand::Rng::with_seed(9);
    let mut between = |low: f32, high: f32| low + (high - low) * random.f32();
    (0..pairs)
        .flat_map(|_| {
            let call = Contract {
                kind: Kind::Call,
                spot: between(5.0, 30.0),
                strike: between(1.0, 100.0),
                years: between(0.25, 10.0),
            };
            [
                call,
                Contract {
                    kind: Kind::Put,
                    ..call
                },
            ]
        })
        .collect()
}

/// The price in numbers of 64 bits, by the complementary error function.
fn expected(contract: &Contract, market: Market) -> f64 {
    let [spot, strike, years] = [contract.spot, contract.strike, contract.years].map(f64::from);
    let [interest, volatility] = [market.interest, market.volatility].map(f64::from);
    let normal = |x: f64| 0.5 * libm::erfc(-x / 2f64.sqrt());
    let drift = (interest + volatility * volatility / 2.0) * years;
    let d1 = ((spot / strike).ln() + drift) / (volatility * years.sqrt());
    let d2 = d1 - volatility * years.sqrt();
    // A put is a call, seen in a mirror.
    let sign = if contract.kind == Kind::Call { 1.0 } else { -1.0 };
    sign * (spot * normal(sign * d1) - strike * (-interest * years).exp() * normal(sign * d2))
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[black_scholes::emit])?;
    let pairs = n.unwrap_or(10_000).div_ceil(2);
    let market = Market {
        interest: 0.02,
        volatility: 0.3,
    };
    let contracts = contracts(pairs);

    let queue = device.queue()?;
    let there = queue.upload(&contracts)?;
    let mut prices = queue.zeros::<f32>(contracts.len())?;
    launch!(
        queue,
        black_scholes(market, &there, &mut prices),
        global = there.len()
    )?;
    let prices = queue.download(&prices)?;

    println!("contracts {}", contracts.len());
    // Who buys a call and sells a put has bought the share for the strike, whatever comes.
    let terms = contracts.iter().step_by(2).zip(prices.chunks(2));
    let parity = terms.map(|(terms, prices)| {
        let strike_today = terms.strike * (-market.interest * terms.years).exp();
        f64::from(prices[0] - prices[1] - (terms.spot - strike_today))
    });
    common::within("error of put-call parity", parity, 1e-4)?;
    let errors = contracts
        .iter()
        .zip(&prices)
        .map(|(contract, price)| f64::from(*price) - expected(contract, market));
    common::within("max error", errors, 1e-4)
}

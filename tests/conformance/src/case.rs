//! Cases, and the suite of all of them.

use crate::expectations::{self, Known};
use gridfn::__private::{Kernel, KernelType};
use gridfn::Capability;
use gridfn::Device;
use libtest_mimic::{Failed, Trial};

/// The result of a case.
pub(crate) type Outcome = Result<(), Failed>;

/// What a case needs of the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// 64-bit floats.
    Float64,
    /// The lack of 64-bit floats: what happens without them.
    NoFloat64,
    /// Atomic operations on 64 bits.
    AtomicInt64,
    /// The lack of them: what happens without.
    NoAtomicInt64,
    /// Sub-groups.
    Subgroups,
    /// The lack of them: what happens without.
    NoSubgroups,
    /// A driver behind it: a device that is not the host.
    Driver,
    /// The host: what has nothing to do with a device is checked once.
    Host,
    /// Code that the attributes compiled already.
    Ahead,
}

impl Need {
    fn is_met(self, device: &Device) -> bool {
        match self {
            Need::Float64 => device.has(Capability::Float64),
            Need::NoFloat64 => !device.has(Capability::Float64),
            Need::AtomicInt64 => device.has(Capability::AtomicInt64),
            Need::NoAtomicInt64 => !device.has(Capability::AtomicInt64),
            Need::Subgroups => device.has(Capability::Subgroups),
            Need::NoSubgroups => !device.has(Capability::Subgroups),
            Need::Driver => *device != Device::host(),
            Need::Host => *device == Device::host(),
            Need::Ahead => cfg!(feature = "aot"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Need::Float64 => "needs f64",
            Need::NoFloat64 => "needs a device without f64",
            Need::AtomicInt64 => "needs 64-bit atomics",
            Need::NoAtomicInt64 => "needs a device without 64-bit atomics",
            Need::Subgroups => "needs sub-groups",
            Need::NoSubgroups => "needs a device without sub-groups",
            Need::Driver => "needs a driver",
            Need::Host => "needs the host",
            Need::Ahead => "needs the feature aot",
        }
    }
}

/// One case: a name, what it needs, and what it does.
struct Case {
    name: String,
    needs: Vec<Need>,
    run: Box<dyn FnOnce(&Device) -> Outcome + Send>,
}

/// All cases, and all kernels of the package that are not generic.
#[derive(Default)]
pub(crate) struct Suite {
    cases: Vec<Case>,
    kernels: Vec<&'static Kernel>,
}

impl Suite {
    /// Adds a case.
    pub(crate) fn case(
        &mut self,
        name: impl Into<String>,
        needs: &[Need],
        run: impl FnOnce(&Device) -> Outcome + Send + 'static,
    ) {
        self.cases.push(Case {
            name: name.into(),
            needs: needs.to_vec(),
            run: Box::new(run),
        });
    }

    /// Notes a kernel for the cases about all kernels.
    pub(crate) fn kernel<K: KernelType>(&mut self) {
        self.kernels.push(K::KERNEL);
    }

    /// The kernels that were noted.
    pub(crate) fn kernels(&self) -> Vec<&'static Kernel> {
        self.kernels.clone()
    }

    /// The cases as libtest runs them.
    pub(crate) fn into_trials(self, device: &Device) -> Vec<Trial> {
        self.cases
            .into_iter()
            .map(|case| case.into_trial(device))
            .collect()
    }
}

impl Case {
    fn into_trial(self, device: &Device) -> Trial {
        let Case { name, needs, run } = self;
        if let Some(need) = needs.iter().find(|need| !need.is_met(device)) {
            return Trial::test(name, || Ok(()))
                .with_kind(need.name())
                .with_ignored_flag(true);
        }
        let on = device.clone();
        match expectations::of(device, &name) {
            None => Trial::test(name, move || run(&on)),
            Some(Known::Fails(reason)) => Trial::test(name, move || match run(&on) {
                Err(_) => Ok(()),
                Ok(()) => Err("it passes: take it off the list of known failures".into()),
            })
            .with_kind(format!("known to fail: {reason}")),
            Some(Known::Kills(reason)) => Trial::test(name, || Ok(()))
                .with_kind(format!("not run: {reason}"))
                .with_ignored_flag(true),
        }
    }
}

/// The path of a case: that of the module, from below `cases`, and a name.
macro_rules! case_path {
    ($name:expr) => {
        format!(
            "{}::{}",
            module_path!().trim_start_matches("gridfn_conformance::cases::"),
            $name
        )
    };
}
pub(crate) use case_path;

/// Fails a case with a message, if two values differ.
macro_rules! check_eq {
    ($found:expr, $expected:expr $(, $($about:tt)+)?) => {{
        let (found, expected) = (&$found, &$expected);
        if found != expected {
            let about = String::new() $(+ &format!($($about)+) + ": ")?;
            return Err(format!("{}:{}: {about}expected {expected:?}, found {found:?}", file!(), line!()).into());
        }
    }};
}
pub(crate) use check_eq;

/// Fails a case, if a value does not have the form of a pattern.
macro_rules! check_matches {
    ($found:expr, $pattern:pat $(if $guard:expr)?) => {{
        let found = $found;
        if !matches!(&found, $pattern $(if $guard)?) {
            let pattern = stringify!($pattern $(if $guard)?);
            return Err(format!("{}:{}: expected {pattern}, found {found:?}", file!(), line!()).into());
        }
    }};
}
pub(crate) use check_matches;

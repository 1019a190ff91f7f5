//! What devices there are, and what they can do. `--device` takes an id of the first column, or a part of a name.

mod common;

use gridfn::{Capability, Device};

const COLUMNS: [&str; 9] = [
    "id", "kind", "units", "memory", "group", "code", "f64", "name", "driver",
];

/// One line of the table.
fn line(device: &Device) -> [String; COLUMNS.len()] {
    let info = device.info();
    let doubles = device.has(Capability::Float64);
    [
        info.id.clone(),
        format!("{:?}", info.kind),
        info.compute_units.to_string(),
        format!("{} MiB", info.memory >> 20),
        info.limits.group_size.to_string(),
        info.code.into(),
        if doubles { "yes" } else { "no" }.into(),
        info.name.clone(),
        format!("{} {}", info.vendor, info.version),
    ]
}

fn main() -> common::Result {
    let (chosen, _) = common::arguments(&[])?;
    let mut table = vec![COLUMNS.map(String::from)];
    table.extend(Device::all().iter().map(line));
    let widths: [usize; COLUMNS.len()] =
        std::array::from_fn(|c| table.iter().map(|row| row[c].chars().count()).max().unwrap_or(0));
    for row in &table {
        let cells: Vec<String> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        println!("{}", cells.join("  ").trim_end());
    }
    let limits = chosen.limits();
    println!(
        "\na work-group of {chosen} has up to {} items, by dimension {:?}",
        limits.group_size, limits.local_size
    );
    Ok(())
}

//! Rows, as JSON and as a table.

/// One measurement. The members of the JSON object have the same names.
pub(crate) struct Row {
    pub(crate) device: String,
    pub(crate) args: usize,
    pub(crate) argtype: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) ours_ns: f64,
    pub(crate) raw_ns: Option<f64>,
    pub(crate) ratio: Option<f64>,
    pub(crate) allocs: f64,
    pub(crate) instructions: Option<f64>,
}

impl Row {
    /// The row as a JSON object on one line.
    pub(crate) fn json(&self) -> String {
        let number = |n: Option<f64>, digits| n.map_or("null".into(), |n| format!("{n:.digits$}"));
        format!(
            r#"{{"device":"{}","args":{},"argtype":"{}","kind":"{}","ours_ns":{:.1},"raw_ns":{},"ratio":{},"allocs":{},"instructions":{}}}"#,
            escape(&self.device),
            self.args,
            self.argtype,
            self.kind,
            self.ours_ns,
            number(self.raw_ns, 1),
            number(self.ratio, 3),
            self.allocs,
            number(self.instructions, 0),
        )
    }
}

fn escape(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .flat_map(|c| {
            if matches!(c, '"' | '\\') {
                vec!['\\', c]
            } else {
                vec![c]
            }
        })
        .collect()
}

/// All rows, for people.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| device | arguments | kind | ours ns | raw ns | ratio | allocations | instructions |\n|---|---|---|---:|---:|---:|---:|---:|\n",
    );
    for r in rows {
        let number = |n: Option<f64>, digits| n.map_or("–".into(), |n| format!("{n:.digits$}"));
        out += &format!(
            "| {} | {} {} | {} | {:.0} | {} | {} | {} | {} |\n",
            r.device,
            r.args,
            r.argtype,
            r.kind,
            r.ours_ns,
            number(r.raw_ns, 0),
            number(r.ratio, 2),
            r.allocs,
            number(r.instructions, 0),
        );
    }
    out
}

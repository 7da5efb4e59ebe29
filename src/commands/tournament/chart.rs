//! Gains with their intervals against the number of boards, as an SVG.

use std::path::Path;

use anyhow::anyhow;
use plotters::prelude::*;
use setrograde_play::tournament::{BoardResult, Standing};

/// The course of a pair's mean gain.
pub struct Curve {
    name: String,
    standing: Standing,
    /// Boards, mean, half width.
    points: Vec<(u32, f64, f64)>,
}

impl Curve {
    pub fn new(name: String) -> Curve {
        Curve {
            name,
            standing: Standing::default(),
            points: Vec::new(),
        }
    }

    pub fn add(&mut self, result: &BoardResult) {
        self.standing.add(result);
        let of = &self.standing;
        self.points.push((of.boards, of.mean(), of.half_width()));
    }

    /// The standing in a few words.
    pub fn summary(&self) -> String {
        let (mean, half_width) = (self.standing.mean(), self.standing.half_width());
        format!("{}: {mean:+.2} ± {half_width:.2}", self.name)
    }
}

/// Draws the curves into a file.
pub fn draw(path: &Path, curves: &[Curve]) -> anyhow::Result<()> {
    let mut text = String::new();
    draw_into(&mut text, curves).map_err(|error| anyhow!("{error}"))?;
    std::fs::write(path, text)?;
    Ok(())
}

fn draw_into(text: &mut String, curves: &[Curve]) -> Result<(), Box<dyn std::error::Error>> {
    // The first boards' intervals are too wide to be shown.
    let shown = |curve: &Curve| -> Vec<(u32, f64, f64)> {
        let points = curve.points.iter().copied();
        points.filter(|&(boards, ..)| boards >= 8).collect()
    };
    let all: Vec<(u32, f64, f64)> = curves.iter().flat_map(shown).collect();
    let boards = all.iter().map(|point| point.0).max().unwrap_or(9);
    let low = all.iter().map(|p| p.1 - p.2).fold(-0.1, f64::min);
    let high = all.iter().map(|p| p.1 + p.2).fold(0.1, f64::max);
    let margin = (high - low) * 0.05;
    let area = SVGBackend::with_string(text, (840, 520)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Gain a board, with 95 % intervals", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(8..boards.max(9), low - margin..high + margin)?;
    chart
        .configure_mesh()
        .x_desc("boards")
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .draw()?;
    let zero = [(8, 0.0), (boards.max(9), 0.0)];
    chart.draw_series(LineSeries::new(zero, BLACK.mix(0.6)))?;
    for (number, curve) in curves.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let points = shown(curve);
        let upper = points
            .iter()
            .map(|&(boards, mean, half)| (boards, mean + half));
        let lower = points
            .iter()
            .rev()
            .map(|&(boards, mean, half)| (boards, mean - half));
        let band: Vec<(u32, f64)> = upper.chain(lower).collect();
        chart.draw_series([Polygon::new(band, colour.mix(0.15).filled())])?;
        let line = points.iter().map(|&(boards, mean, _)| (boards, mean));
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}

//! Charts as SVG: bars, and means with their intervals.

use std::error::Error;
use std::path::Path;

use anyhow::anyhow;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::whole_file::write_file;

/// A mean under way.
pub struct Curve {
    pub name: String,
    /// Number of cases, mean, half the width of its interval.
    pub points: Vec<(u32, f64, f64)>,
}

/// A chart of bars, or else of curves.
pub struct Chart<'a> {
    pub caption: &'a str,
    /// The name of the horizontal axis.
    pub x: &'a str,
    /// Heights in per cent, from 0 on.
    pub bars: Vec<f64>,
    pub curves: Vec<Curve>,
}

/// The first means have intervals too wide to be shown.
const FIRST: u32 = 8;

impl Chart<'_> {
    /// Draws the chart into a file.
    pub fn draw(&self, path: &Path) -> anyhow::Result<()> {
        let mut text = String::new();
        let drawn = self.draw_into(&mut text);
        drawn.map_err(|error| anyhow!("cannot draw: {error}"))?;
        write_file(path, &text)
    }

    fn draw_into(&self, text: &mut String) -> Result<(), Box<dyn Error>> {
        let points = || self.curves.iter().flat_map(shown);
        let (left, right) = match self.bars.len() {
            0 => (
                f64::from(FIRST),
                points().map(|point| f64::from(point.0)).fold(9.0, f64::max),
            ),
            bars => (-0.5, bars as f64 - 0.5),
        };
        let lows = points().map(|(_, mean, half)| mean - half);
        let highs = points().map(|(_, mean, half)| mean + half);
        let low = lows.fold(if self.bars.is_empty() { -0.1 } else { 0.0 }, f64::min);
        let high = highs.chain(self.bars.iter().copied()).fold(0.1, f64::max);
        let margin = 0.08 * (high - low);
        let bottom = if low < 0.0 { low - margin } else { low };
        let area = SVGBackend::with_string(text, (800, 460)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(self.caption, ("sans-serif", 20))
            .margin(14)
            .x_label_area_size(38)
            .y_label_area_size(56)
            .build_cartesian_2d(left..right, bottom..high + margin)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(self.x)
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.1))
            .x_label_formatter(&|x| format!("{x:.0}"));
        if !self.bars.is_empty() {
            mesh.disable_x_mesh().x_labels(self.bars.len() + 1);
            mesh.y_label_formatter(&|height| format!("{height:.0} %"))
                .draw()?;
        } else {
            mesh.draw()?;
        }
        let colour = RGBColor(52, 101, 164);
        let bars = self.bars.iter().enumerate();
        for (place, &height) in bars.filter(|&(_, &height)| height > 0.0) {
            let x = place as f64;
            let bar = Rectangle::new([(x - 0.38, 0.0), (x + 0.38, height)], colour.filled());
            chart.draw_series([bar])?;
            let style = ("sans-serif", 14).into_font().color(&BLACK);
            let style = style.pos(Pos::new(HPos::Center, VPos::Bottom));
            let at = (x, height + 0.01 * high);
            chart.draw_series([Text::new(format!("{height:.1} %"), at, style)])?;
        }
        if self.curves.is_empty() {
            return Ok(area.present()?);
        }
        chart.draw_series(LineSeries::new([(left, 0.0), (right, 0.0)], BLACK.mix(0.6)))?;
        for (number, curve) in self.curves.iter().enumerate() {
            let colour = Palette99::pick(number).to_rgba();
            let at = |sign: f64| {
                shown(curve).map(move |(n, mean, half)| (f64::from(n), mean + sign * half))
            };
            let lower: Vec<(f64, f64)> = at(-1.0).collect();
            let band: Vec<(f64, f64)> = at(1.0).chain(lower.into_iter().rev()).collect();
            chart.draw_series([Polygon::new(band, colour.mix(0.15).filled())])?;
            let line = LineSeries::new(at(0.0), colour.stroke_width(2));
            let legend =
                move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2));
            chart.draw_series(line)?.label(&curve.name).legend(legend);
        }
        let mut labels = chart.configure_series_labels();
        labels
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        Ok(area.present()?)
    }
}

fn shown(curve: &Curve) -> impl Iterator<Item = (u32, f64, f64)> + '_ {
    let points = curve.points.iter().copied();
    points.filter(|&(number, ..)| number >= FIRST)
}

//! Curves against the number of cards, on a logarithmic scale, as an SVG.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

/// A curve: its points by number of cards.
pub struct Series {
    pub name: String,
    pub points: Vec<(u32, f64)>,
}

/// Draws the curves into a file.
pub fn draw(path: &Path, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    draw_into(&mut text, series)?;
    std::fs::write(path, text)?;
    Ok(())
}

fn draw_into(text: &mut String, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let points = || series.iter().flat_map(|series| &series.points);
    let cards = points().map(|&(cards, _)| cards).max().unwrap_or(4);
    let most = points().map(|&(_, value)| value).fold(10.0, f64::max);
    let area = SVGBackend::with_string(text, (840, 520)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Double-dummy endgame databases", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(1u32..cards / 4, (10.0..most * 3.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("cards")
        .x_labels(cards as usize / 4)
        .x_label_formatter(&|level| (4 * level).to_string())
        .y_label_formatter(&|value| format!("{value:.0e}"))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .draw()?;
    for (number, series) in series.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let points = series
            .points
            .iter()
            .map(|&(cards, value)| (cards / 4, value));
        chart
            .draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?
            .label(&series.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        let dots = points.map(|point| Circle::new(point, 3, colour.filled()));
        chart.draw_series(dots)?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}

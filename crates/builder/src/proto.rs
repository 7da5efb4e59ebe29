//! prototype
#![allow(missing_docs)]
use setrograde_endgame::{diagram::*, partition::*, shape::*};
use crate::{oracle::*, refine::*};
pub struct Mem { index: Option<PartitionIndex>, roots: Vec<(Ref, usize, usize)>, nodes: Vec<Node> }
impl LevelBelow for Mem {
    fn diagram(&self, shape: Shape, trump: bool) -> Diagram<'_> {
        let n = self.index.as_ref().unwrap().number(shape, trump);
        let (root, a, b) = self.roots[n];
        Diagram { nodes: &self.nodes[a..b], root }
    }
}
pub fn go(max: usize) {
    let mut below = Mem { index: None, roots: vec![], nodes: vec![] };
    for level in 1..=max {
        let t = std::time::Instant::now();
        let index = PartitionIndex::new(level);
        let mut next = Mem { index: None, roots: vec![], nodes: vec![] };
        let mut oracle = Oracle::new(&below, level);
        let mut b = DiagramBuilder::new();
        let mut sets = 0;
        let mut largest = 0;
        for p in index.iter() {
            let root = refine(&mut oracle, p, level, &mut b).unwrap();
            let a = next.nodes.len();
            next.nodes.extend_from_slice(b.nodes());
            largest = largest.max(b.nodes().len());
            sets += Diagram { nodes: b.nodes(), root }.set_count();
            next.roots.push((root, a, next.nodes.len()));
        }
        println!("{level} nodes {} sets {sets} largest {largest} {:?} {:.2}s", next.nodes.len(), oracle.counts, t.elapsed().as_secs_f64());
        next.index = Some(index);
        if level == max { dump(&next, "/tmp/d0", 256, 0); dump(&next, "/tmp/d1", 256, 1); }
        drop(oracle);
        below = next;
    }
}
fn emit(d: &Diagram, at: Ref, cols: [Column;4], done: &mut Vec<i32>, next: &mut i32, out: &mut [Vec<u8>;3], mode: u32) {
    if at.is_leaf() { out[0].push(at.lo()); return; }
    if done[at.place()] >= 0 {
        out[0].push(16);
        let delta = (*next - done[at.place()]) as u32 - 1;
        let mut v = delta; 
        while v >= 128 { out[1].push(v as u8 | 128); v >>= 7; } out[1].push(v as u8);
        return;
    }
    let s = at.suit();
    out[0].push(8 + s as u8);
    let ch = d.nodes[at.place()].children;
    for o in 0..4 {
        if cols[s].length(o) == 0 { assert!(ch[o].is_nothing()); continue; }
        if mode & 1 == 1 && ch[o].is_node() { if let Some(p) = (0..o).rev().find(|&p| ch[p]==ch[o]) { let back = (p+1..o).filter(|&q| !ch[q].is_nothing()).count(); out[0].push(20 + back as u8); continue; } }
        let mut c = cols; c[s] = c[s].without_one(o);
        emit(d, ch[o], c, done, next, out, mode);
    }
    done[at.place()] = *next; *next += 1;
}
pub fn dump(below: &Mem, dir: &str, group: usize, mode: u32) {
    use std::io::Write;
    let idx = below.index.as_ref().unwrap();
    let mut f = std::fs::File::create(format!("{dir}/dump.bin")).unwrap();
    let mut out: [Vec<u8>;3] = Default::default();
    let flush = |out: &mut [Vec<u8>;3], f: &mut std::fs::File| { for o in out.iter_mut() { f.write_all(&(o.len() as u32).to_le_bytes()).unwrap(); f.write_all(o).unwrap(); o.clear(); } };
    for (n, p) in idx.iter().enumerate() {
        let (root, a, b) = below.roots[n];
        let d = Diagram { nodes: &below.nodes[a..b], root };
        let mut done = vec![-1; b - a]; let mut next = 0;
        emit(&d, root, p.shape.columns, &mut done, &mut next, &mut out, mode);
        if (n + 1) % group == 0 { flush(&mut out, &mut f); }
    }
    flush(&mut out, &mut f);
}

fn main() { setrograde_builder::proto::go(std::env::args().nth(1).unwrap().parse().unwrap()) }

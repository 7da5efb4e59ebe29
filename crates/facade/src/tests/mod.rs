mod lesson;
mod linear;
mod parts;
mod problems;
mod words;

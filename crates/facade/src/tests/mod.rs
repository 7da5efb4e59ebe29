mod lesson;
mod linear;
mod parts;
mod words;

mod lesson;
mod linear;
mod words;

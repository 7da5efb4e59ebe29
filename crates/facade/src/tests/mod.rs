mod lesson;
mod words;

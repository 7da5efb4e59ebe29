import type { Answers, Question, Seat, Strain } from "./answers.d.ts";

export type * from "./answers.d.ts";

/** Tricks by strain and declarer. */
export type Tricks = Record<Strain, Record<Seat, number>>;

export interface Options {
  /** Levels beyond the 12 cards inside, each the bytes of a `level-NN.sdb` or a map. */
  levels?: (ArrayBuffer | Uint8Array)[];
}

/** A question that cannot be answered: the input is wrong, as the message says. */
export class QuestionError extends Error {
  /** What there is instead of an answer: also the column of the fault, and `because`, its kind. */
  readonly refusal: { error: string; column?: number | null; because?: string };
}

/** An engine in this thread: questions take as long as they take. */
export class Engine {
  /** The numbers of cards of the levels in use. */
  readonly cards: number[];
  /** Asks a question, as `docs/json.md` of the project describes it. Throws a `QuestionError`. */
  ask<Asked extends Question>(question: Asked): Answers[Asked["ask"]];
  /** The tricks of a deal in PBN, by strain and declarer. */
  table(deal: string): Tricks;
}

/**
 * An engine in a worker, which leaves this thread free. Its questions wait in a queue. Once the worker has ended, by
 * `terminate` or by itself, every open and later question is rejected. A browser does not report that somebody else
 * has ended a worker: there, end it by this engine's `terminate`.
 */
export class WorkerEngine {
  /** The numbers of cards of the levels in use. */
  readonly cards: number[];
  ask<Asked extends Question>(question: Asked): Promise<Answers[Asked["ask"]]>;
  table(deal: string): Promise<Tricks>;
  /** Ends the worker; its open and later questions are rejected. */
  terminate(): unknown;
}

/**
 * Starts an engine. The first one unpacks and compiles the code, which takes some 90 ms of a processor; later ones take
 * some milliseconds. The first question of an engine that searches unpacks the endings, which takes some 200 ms, in
 * later engines some 130 ms.
 */
export function createEngine(options?: Options): Promise<Engine>;

/**
 * Starts an engine in a worker. `worker` is one made by the caller from `setrograde/worker`, for bundlers that do not
 * know `new Worker(new URL(...))`.
 */
export function createWorkerEngine(options?: Options & { worker?: unknown }): Promise<WorkerEngine>;

/** The bytes of a level from an address; throws if they have another SHA-256, in hexadecimal, than is expected. */
export function fetchLevel(from: string | URL, sha256?: string): Promise<Uint8Array>;

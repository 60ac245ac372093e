import { expect } from 'vitest';
import { canonical } from './values.ts';

/** The outcome of an expression without a value, such as a missing field. */
export const MISSING = Symbol('missing');

/** The outcome of an operation that MongoDB rejects with a code. */
export class Rejection {
  readonly code: number;

  constructor(code: number) {
    this.code = code;
  }
}

export const rejected = (code: number): Rejection => new Rejection(code);

/** The input of an operator or stage and the outcome that MongoDB documents. */
export type Case<Given> = readonly [given: Given, outcome: unknown];

export interface Table<Given> {
  /** The guarantee of the cases, in the present tense. */
  readonly title: string;
  readonly cases: readonly Case<Given>[];
}

/** Tables by the name of their operator, accumulator, or stage. */
export type Tables<Given> = Readonly<Record<string, Table<Given>>>;

/** Runs all cases of a table, then compares all outcomes, so that one report shows every failure. */
export async function expectOutcomes<Given>(
  { cases }: Table<Given>,
  run: (given: Given) => Promise<unknown>,
): Promise<void> {
  const actual: string[] = [];
  for (const [given] of cases)
    actual.push(`${canonical(given)} => ${outcomeText(await outcomeOf(() => run(given)))}`);
  expect(actual).toEqual(cases.map(([given, outcome]) => `${canonical(given)} => ${outcomeText(outcome)}`));
}

async function outcomeOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === undefined) throw error;
    return new Rejection(Number(code));
  }
}

function outcomeText(outcome: unknown): string {
  if (outcome === MISSING) return 'no value';
  return outcome instanceof Rejection ? `rejected with ${outcome.code}` : canonical(outcome);
}

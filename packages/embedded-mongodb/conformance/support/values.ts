import { BSON, Decimal128, Double, Int32, Long } from 'mongodb';
import { expect } from 'vitest';

export const int = (value: number) => new Int32(value);
export const long = (value: number | string) => Long.fromString(String(value));
export const double = (value: number) => new Double(value);
export const decimal = (text: string) => Decimal128.fromString(text);
export const day = (text: string) => new Date(`${text}T00:00:00.000Z`);

/** Compares as BSON, including types and the order of fields. Whole JavaScript numbers are int32. */
export function expectSame(actual: unknown, expected: unknown): void {
  expect(canonical(actual)).toBe(canonical(expected));
}

/** Compares only the fields of a reply that `expected` contains. */
export function expectFields(actual: Record<string, unknown>, expected: Record<string, unknown>): void {
  const chosen = Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]));
  expectSame(chosen, expected);
}

/** Includes the types of values and the order of fields. Whole JavaScript numbers are int32. */
export function canonical(value: unknown): string {
  const asRead = BSON.deserialize(BSON.serialize({ value }), { promoteValues: false });
  return BSON.EJSON.stringify(asRead['value'], undefined, 1, { relaxed: false });
}

/** The code of the error that the operation rejects with. */
export async function codeOf(operation: Promise<unknown>): Promise<number> {
  const outcome = await operation.then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
  if ('reply' in outcome) {
    throw new Error(`expected a rejection, got ${BSON.EJSON.stringify(outcome.reply)?.slice(0, 300)}`);
  }
  const { error } = outcome;
  const code = (error as { code?: unknown }).code;
  if (code === undefined) throw error;
  return Number(code);
}

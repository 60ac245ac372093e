import { MAX_PAGE_SIZE } from '@tollgate/contracts/platform/page';
import { ArgumentError, UsageError } from './command.ts';

/** How many rows a list shows by default. */
export const DEFAULT_LIMIT = 10;

/**
 * Reads `<action> [<id>]`.
 *
 * @param ids what the id of each action is, such as `payment id`; null for an action without one
 * @throws ArgumentError
 */
export function readAction<Action extends string>(
  [action = '', id = '', ...others]: string[],
  ids: Record<Action, string | null>,
): { action: Action; id: string } {
  if (!isKey(action, ids)) throw new ArgumentError(`Pass one of: ${Object.keys(ids).join(', ')}.`);
  const expected = ids[action];
  if (others.length > 0 || (id !== '') !== (expected !== null))
    throw new ArgumentError(
      expected === null ? `${action} takes no argument.` : `${action} takes one ${expected}.`,
    );
  return { action, id };
}

const isKey = <Key extends string>(text: string, keys: Record<Key, unknown>): text is Key =>
  Object.hasOwn(keys, text);

/** @throws UsageError */
export function readOneOf<Value extends string>(
  option: string,
  values: readonly Value[],
  text: string,
): Value {
  const value = values.find((name) => name === text);
  if (value === undefined) throw new UsageError(`${option} must be one of: ${values.join(', ')}.`);
  return value;
}

/** Undefined without the option. @throws UsageError */
export function readOneOfIfGiven<Value extends string>(
  option: string,
  values: readonly Value[],
  text: string | undefined,
): Value | undefined {
  return text === undefined ? undefined : readOneOf(option, values, text);
}

/** The number of rows that a list shows. @throws UsageError */
export function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
  throw new UsageError(`--limit must be a number from 1 to ${MAX_PAGE_SIZE}.`);
}

import type { Variable } from '@tollgate/runtime/config';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;
/** The default of a variable as an operator would write it, in Markdown. */
export function formatDefault(variable: Variable<unknown>): string {
  const { fallback, defaultText, type, name } = variable;
  if (!('fallback' in variable)) return 'required';
  if (defaultText !== undefined) return defaultText;
  if (fallback === null || fallback === '' || (Array.isArray(fallback) && fallback.length === 0))
    return 'none';
  if (type === 'duration') return `\`${formatDuration(fallback as number)}\``;
  if (['string', 'number', 'boolean'].includes(typeof fallback)) return `\`${fallback}\``;
  throw new Error(`The default of ${name} is not a text. Set its defaultText.`);
}

/** In the largest unit that needs no fraction. */
function formatDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms % size === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

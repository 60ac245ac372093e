import { Problem } from '@tollgate/contracts/platform/problem';

/** More levels than any body of this API has, and far fewer than would exhaust the stack. */
export const MAX_JSON_DEPTH = 32;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses JSON that every parser reads in the same way: strict UTF-8 (RFC 3629), no duplicate member names, no lone
 * surrogates, and no number with more digits than a double has (RFC 7493 §2.1 to §2.3). Two parsers that disagree on a body would disagree on the amount of a payment.
 *
 * @throws Problem `malformed-request`
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('The body is not valid JSON.');
  }
  checkStructure(text);
  return value;
}

function malformed(detail: string): Problem {
  return new Problem('malformed-request', detail);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** A JSON number (RFC 8259 §6). */
const NUMBER = /-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;
/** Every number with so many characters, and without a fraction or an exponent, has the digits that were sent. */
const EXACT_CHARACTERS = 15;
/** The largest double has 309 digits. Bounds the time of the comparison. */
const MAX_NUMBER_CHARACTERS = 400;

/** Scans text that is valid JSON. The stack has the set of member names for an open object, and null for an open array. */
function checkStructure(text: string): void {
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let atName = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === MINUS || (code >= ZERO && code <= NINE)) index = endOfNumber(text, index) - 1;
    switch (code) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        names = code === OPEN_OBJECT ? new Set() : null;
        if (open.push(names) > MAX_JSON_DEPTH) {
          throw malformed(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
        }
        atName = names !== null;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
        names = open.at(-1) ?? null;
        break;
      case COMMA:
        atName = names !== null;
        break;
      case COLON:
        atName = false;
        break;
      case QUOTE: {
        const end = closingQuote(text, index);
        const value = decodeString(text.slice(index, end + 1));
        if (atName) checkName(value, names);
        index = end;
      }
    }
  }
}

/** Checks the number that starts here. Without the check, 1999.0000000000000001 would be the amount 1999. */
function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  const literal = NUMBER.exec(text)?.[0] ?? '';
  const mayLoseDigits = literal.length > EXACT_CHARACTERS || /[.eE]/.test(literal);
  if (mayLoseDigits && !keepsDigits(literal))
    throw malformed(
      'The body has a number with more digits than can be read exactly. Send at most 15 digits.',
    );
  return start + literal.length;
}

function keepsDigits(literal: string): boolean {
  if (literal.length > MAX_NUMBER_CHARACTERS) return false;
  const value = Number(literal);
  // A number that is too large is infinite, which no schema accepts.
  return !Number.isFinite(value) || decimalOf(literal) === decimalOf(String(value));
}

/** The digits of a number without zeros at the ends, and its power of ten: the same for all spellings of a number. */
function decimalOf(literal: string): string {
  NUMBER.lastIndex = 0;
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

function closingQuote(text: string, openingQuote: number): number {
  let end = openingQuote + 1;
  while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  return end;
}

function decodeString(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  const value: string = JSON.parse(literal);
  if (!value.isWellFormed())
    throw malformed('The body contains half of a surrogate pair, which is not a character.');
  return value;
}

function checkName(name: string, names: Set<string> | null): void {
  if (name === '__proto__') throw malformed('The body has a member named "__proto__", which is not allowed.');
  if (names?.has(name)) throw malformed('The body has an object with the same member name twice.');
  names?.add(name);
}

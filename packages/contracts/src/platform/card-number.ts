import { CARD_SCHEMES } from './card-schemes.ts';
import { type FieldError, Problem } from './problem.ts';

/**
 * Finds card numbers in free text: digits of any script that a scheme issues, that pass the Luhn check (ISO/IEC 7812-1
 * annex B), and that stand together or apart by one to three other characters, also with an expiry or a security code
 * behind. Valid IBANs, international phone numbers, UUIDs, and digests are excluded: many of them contain such digits by
 * chance. Decision 0025 states how many ids of only digits are taken for card numbers. The time is linear in the length of
 * the text.
 */
export function containsCardNumber(text: string): boolean {
  if (!MAY_HOLD_CARD.test(text)) return false;
  // NFKC turns full-width, styled, and encircled digits into their ASCII forms.
  const plain = text.normalize('NFKC').replace(OTHER_DIGIT, asciiDigit);
  const masked = maskIbans(maskIdentifiers(plain)).replace(PHONE_NUMBER, UNRELATED);
  return (
    (masked.match(UUID_SHAPE) ?? []).some(holdsCardAnywhere) ||
    [...masked.matchAll(RUN)].some(([run]) => holdsCard(run.match(/\d+/g) ?? []))
  );
}

/** What is wrong with a field that holds a card number. It does not repeat the number: errors are logged. */
export const CARD_NUMBER_ERROR = {
  code: 'card-number',
  detail: 'This looks like a card number.',
} as const satisfies FieldError;

/** Throws `invalid-request` with the field's pointer if one of its texts holds a card number. */
export function requireNoCardNumber(pointer: string, texts: readonly string[]): void {
  if (!texts.some(containsCardNumber)) return;
  throw new Problem('invalid-request', 'Card numbers are not allowed in any field.', {
    errors: [{ pointer, ...CARD_NUMBER_ERROR }],
  });
}

/** Digits that may follow a card number without a gap: a security code, an expiry, or an expiry and a code. */
const TRAILING_DIGITS: readonly number[] = [3, 4, 7, 8];

/** A cheap pre-check: most texts have too few digits. `\p{N}` matches digits of every script and encircled ones. */
const MAY_HOLD_CARD = /(?:\p{N}[^\p{N}]*){13}/u;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
/** Groups of digits that at most three characters separate, none of them a letter: also marks and invisible ones. */
const RUN = /\d+(?:[^\p{L}\p{N}]{1,3}\d+)*/gu;

/**
 * A UUID (RFC 9562) or a hexadecimal digest with at least one letter. One in 2,000 UUIDs contains a card number by chance,
 * and clients use them as idempotency keys.
 */
const IDENTIFIER =
  /\b(?:[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|[\da-f]{24}|[\da-f]{32}|[\da-f]{40}|[\da-f]{64})\b/gi;
/** Looks like a UUID and is none, so its groups may be those of any number. */
const UUID_SHAPE = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g;
/** ITU-T E.164: a plus sign and at most 15 digits, as written in groups. */
const PHONE_NUMBER = /\+\d(?:[ ./()-]{0,2}\d){7,14}(?![ ./()-]{0,2}\d)/g;
const UNRELATED = 'x';

const asciiDigits = new Map<string, string>();

/** In every script, the ten digits follow each other, and so do the scripts' blocks where they touch. */
function asciiDigit(digit: string): string {
  let ascii = asciiDigits.get(digit);
  if (ascii === undefined) {
    const codePoint = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value += 1;
    ascii = String(value % 10);
    asciiDigits.set(digit, ascii);
  }
  return ascii;
}

function maskIdentifiers(text: string): string {
  return text.replace(IDENTIFIER, (candidate) => (/[a-f]/i.test(candidate) ? UNRELATED : candidate));
}

/** Whether a card number starts at any digit, regardless of groups. */
function holdsCardAnywhere(uuidShape: string): boolean {
  const runs = uuidShape.replaceAll('-', '').match(/\d+/g) ?? [];
  return runs.some((run) => holdsCard([...run]));
}

/**
 * Groups of digits may contain a card number beside other groups ("no. 12 4111 1111 1111 1111"), so it may start with every
 * group. It ends with a group, or in the group where it starts.
 */
function holdsCard(groups: readonly string[]): boolean {
  const digits = groups.join('');
  const ends = new Set<number>();
  let end = 0;
  for (const group of groups) {
    end += group.length;
    ends.add(end);
  }
  let start = 0;
  return groups.some((group) => {
    const from = start;
    start += group.length;
    const mayEndAt = (at: number) => ends.has(at) || TRAILING_DIGITS.includes(from + group.length - at);
    return startsWithCard(digits, from, mayEndAt);
  });
}

/** The longest prefix of `CARD_SCHEMES`. */
const PREFIX_DIGITS = 6;

const ISSUED = CARD_SCHEMES.flatMap(({ lengths, prefixes }) =>
  prefixes.map(([first, last]) => ({
    first: Number(first.padEnd(PREFIX_DIGITS, '0')),
    last: Number(last.padEnd(PREFIX_DIGITS, '9')),
    lengths,
  })),
);

function startsWithCard(digits: string, from: number, mayEndAt: (at: number) => boolean): boolean {
  const prefix = Number(digits.slice(from, from + PREFIX_DIGITS));
  return ISSUED.some(
    ({ first, last, lengths }) =>
      prefix >= first &&
      prefix <= last &&
      lengths.some((length) => mayEndAt(from + length) && passesLuhn(digits.slice(from, from + length))),
  );
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = digit * 2;
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function maskIbans(text: string): string {
  return text.replace(IBAN, (candidate) => (isIban(candidate.replaceAll(' ', '')) ? UNRELATED : candidate));
}

/** ISO 13616-1: with the first four characters moved to the end and letters as 10 to 35, the number modulo 97 is 1. */
function isIban(compact: string): boolean {
  const rearranged = compact.slice(4) + compact.slice(0, 4);
  const digits = rearranged.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

import { CARD_SCHEMES } from './card-schemes.ts';

/**
 * Finds card numbers in free text: digits of any script that a scheme issues, that pass the Luhn check (ISO/IEC 7812-1
 * annex B), and that stand together or apart by one to three other characters, also with an expiry or a security code
 * behind. Valid IBANs, international phone numbers, UUIDs, and digests are excluded: many of them contain such digits by
 * chance.
 */
export function containsCardNumber(text: string): boolean {
  if (!MAY_HOLD_CARD.test(text)) return false;
  // NFKC turns full-width, styled, and encircled digits into their ASCII forms.
  const plain = text.normalize('NFKC').replace(DIGIT, asciiDigit);
  const masked = maskIbans(plain.replace(IDENTIFIER, UNRELATED)).replace(PHONE_NUMBER, UNRELATED);
  return (
    (masked.match(UUID_SHAPE) ?? []).some(holdsCardAnywhere) ||
    [...masked.matchAll(RUN)].some(([run]) => runHoldsCard(run))
  );
}

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** Digits that may follow a card number without a gap: a security code, an expiry, or an expiry and a code. */
const TRAILING_DIGITS: readonly number[] = [3, 4, 7, 8];

/** A cheap pre-check: most texts have too few digits. `\p{N}` matches digits of every script and encircled ones. */
const MAY_HOLD_CARD = /(?:\p{N}[^\p{N}]*){13}/u;
const DIGIT = /\p{Nd}/gu;
/** Groups of digits that at most three characters separate, none of them a letter: also marks and invisible ones. */
const RUN = /\d+(?:[^\p{L}\p{N}]{1,3}\d+)*/gu;

/**
 * A UUID (RFC 9562) or a hexadecimal digest with at least one letter. One in 2,000 UUIDs contains a card number by chance,
 * and clients use them as idempotency keys.
 */
const IDENTIFIER =
  /\b(?=[\d-]*[a-f])(?:[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|[\da-f]{24}|[\da-f]{32}|[\da-f]{40}|[\da-f]{64})\b/gi;
/** Looks like a UUID and is none, so its groups may be those of any number. */
const UUID_SHAPE = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g;
/** ITU-T E.164: a plus sign and at most 15 digits, as written in groups. */
const PHONE_NUMBER = /\+\d(?:[ ./()-]{0,2}\d){7,14}(?![ ./()-]{0,2}\d)/g;
const UNRELATED = 'x';

/** In every script, the ten digits follow each other, and so do the scripts' blocks where they touch. */
function asciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value += 1;
  return String(value % 10);
}

/**
 * A run may contain a card number beside other groups ("no. 12 4111 1111 1111 1111"), so it may start at every group. It
 * ends with a group, or in the group where it starts.
 */
function runHoldsCard(run: string): boolean {
  const groups = run.match(/\d+/g) ?? [];
  return groups.some((_, first) => startsWithCard(groups, first));
}

/** Whether a card number starts at any digit, regardless of groups. */
function holdsCardAnywhere(text: string): boolean {
  const runs = text.replaceAll('-', '').match(/\d+/g) ?? [];
  return runs.some((run) => [...run].some((_, start) => startsWithCard([...run.slice(start)], 0)));
}

function startsWithCard(groups: readonly string[], first: number): boolean {
  const whole = groups[first] ?? '';
  if (TRAILING_DIGITS.some((count) => isCardNumber(whole.slice(0, -count)))) return true;
  let digits = '';
  for (let index = first; digits.length < MAX_DIGITS; index += 1) {
    const group = groups[index];
    if (group === undefined) return false;
    digits += group;
    if (isCardNumber(digits)) return true;
  }
  return false;
}

function isCardNumber(digits: string): boolean {
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return false;
  return isIssued(digits) && passesLuhn(digits);
}

function isIssued(digits: string): boolean {
  return CARD_SCHEMES.some(
    ({ lengths, prefixes }) =>
      lengths.includes(digits.length) &&
      prefixes.some(([first, last]) => {
        const prefix = digits.slice(0, first.length);
        return prefix >= first && prefix <= last;
      }),
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

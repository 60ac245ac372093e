/**
 * Finds card numbers in free text: 13 to 19 digits that pass the Luhn check (ISO/IEC 7812-1 annex B), either contiguous
 * or in groups with one separator (spaces or dashes). Longer runs of digits are references, not cards. UUIDs and valid
 * IBANs are excluded: one in ten of those with a matching length contains such digits by chance.
 */
export function containsCardNumber(text: string): boolean {
  if (!MAY_HOLD_CARD.test(text)) return false;
  // NFKC turns full-width digits and no-break spaces into their ASCII forms.
  const plain = maskIbans(text.normalize('NFKC').replace(UUID, UNRELATED));
  return DIGIT_GROUPS.some((groups) => [...plain.matchAll(groups)].some(([run]) => runHoldsCard(run)));
}

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** A cheap pre-check: most texts have too few digits. `\p{Nd}` matches digits of every script. */
const MAY_HOLD_CARD = /(?:\p{Nd}[^\p{Nd}]*){13}/u;

/** Runs of digit groups, one pattern per kind of separator: a date range mixes both kinds and is not a card number. */
const DIGIT_GROUPS = [/\d+(?: +\d+)*/g, /\d+(?:[-\u2010-\u2015\u2212]\d+)*/g];

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g;
const UNRELATED = '#';

/**
 * A run may contain a card number beside other groups ("no. 12 4111 1111 1111 1111"), so every sequence of groups is
 * tried.
 */
function runHoldsCard(run: string): boolean {
  const groups = run.match(/\d+/g) ?? [];
  for (let first = 0; first < groups.length; first += 1) {
    let digits = '';
    for (const group of groups.slice(first)) {
      digits += group;
      if (digits.length > MAX_DIGITS) break;
      if (digits.length >= MIN_DIGITS && passesLuhn(digits)) return true;
    }
  }
  return false;
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

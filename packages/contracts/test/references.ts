/** Texts that payments refer to, and that are no card numbers, by what they are. */
export const REFERENCES: Record<string, (random: Random) => string> = {
  'order and time in milliseconds': (random) => `order-${time(random)}`,
  'time in seconds': (random) => `ORD${Math.floor(time(random) / 1000)}`,
  'invoice of a year': (random) => `INV-${year(random)}-${random.digits(6)}`,
  'invoice of a day': (random) => `RE ${day(random)}/${random.digits(4)}`,
  'order of 8 digits': (random) => random.digits(8),
  'order of 10 digits': (random) => `#${random.digits(10)}`,
  'order of 12 digits': (random) => random.digits(12),
  'order of 13 digits that begins with 4': (random) => `4${random.digits(12)}`,
  'EAN-13 of the United Kingdom': (random) => `50${random.digits(11)}`,
  'order like those of a marketplace': (random) =>
    `${random.digits(3)}-${random.digits(7)}-${random.digits(7)}`,
  'two dates': (random) => `${day(random)} to ${day(random)}`,
  'two dates, closer': (random) => `${day(random)} - ${day(random)}`,
  UUID: (random) =>
    `${random.hexadecimal(8)}-${random.hexadecimal(4)}-4${random.hexadecimal(3)}-a${random.hexadecimal(3)}-${random.hexadecimal(12)}`,
  'hexadecimal id': (random) => random.hexadecimal(32),
  'letters and digits': (random) =>
    `${random.letters(3)}-${random.digits(4)}-${random.letters(2)}${random.digits(5)}`,
  'customer and order': (random) => `customer ${random.digits(6)}, order ${random.digits(8)}`,
  'creditor reference': (random) =>
    `RF${random.digits(2)} ${random.digits(4)} ${random.digits(4)} ${random.digits(2)}`,
  'German phone number': (random) => `+49 1${random.digits(2)} ${random.digits(8)}`,
  'German phone number, national': (random) => `01${random.digits(2)}/${random.digits(8)}`,
  'American phone number': (random) => `+1 (${random.digits(3)}) ${random.digits(3)}-${random.digits(4)}`,
  'British phone number': (random) => `+44 20 ${random.digits(4)} ${random.digits(4)}`,
  'French phone number': (random) => `+33 6 ${[1, 2, 3, 4].map(() => random.digits(2)).join(' ')}`,
  'Indian phone number': (random) => `+91-${random.digits(5)}-${random.digits(5)}`,
  'phone number without a plus': (random) => `0049${random.digits(10)}`,
};

/** Random texts that are the same in every run. */
export interface Random {
  /** A whole number from 0 to `end` - 1. */
  below(end: number): number;
  digits(count: number): string;
  letters(count: number): string;
  hexadecimal(count: number): string;
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  const below = (end: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  const text = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet[below(alphabet.length)]).join('');
  return {
    below,
    digits: (count) => text('0123456789', count),
    letters: (count) => text('ABCDEFGHJKLMNPQRSTUVWXYZ', count),
    hexadecimal: (count) => text('0123456789abcdef', count),
  };
}

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2020, 0, 1);
const DAYS = 15 * 365;

function time(random: Random): number {
  return FIRST_DAY_MS + random.below(DAYS) * DAY_MS + random.below(DAY_MS);
}

function day(random: Random): string {
  return new Date(time(random)).toISOString().slice(0, 10);
}

function year(random: Random): number {
  return new Date(time(random)).getUTCFullYear();
}

type Compare = (a: string, b: string) => number;

/*
 * JavaScript has ICU's comparison but not its sort keys. An index under a collation therefore keeps, in the place of
 * a string, a text that is the same for all strings that the collation holds for equal: each character is replaced
 * by one that stands for its class. That is right only for strings of simple characters, those that count by
 * themselves: not combining marks, ligatures (ß equals ss), what is ignored, or digits in numeric order. All
 * other strings have no text of their own; who looks for a string looks among those as well.
 *
 * The texts have no order. Ranges and sorts under a collation are left to the filter and the sorter.
 */

export interface IndexTexts {
  /** Undefined for a string that is not simple. */
  textOf(text: string): string | undefined;
}

/** Alphabets whose letters may equal one another; their characters are compared with each other once. */
const COMPARED_RANGES: readonly (readonly [number, number])[] = [
  [0x20, 0x7e], // ASCII
  [0xa1, 0x24f], // Latin
  [0x386, 0x3ce], // Greek
  [0x400, 0x45f], // Cyrillic
  [0x490, 0x491],
  [0x5d0, 0x5ea], // Hebrew
  [0x621, 0x64a], // Arabic
  [0x1e00, 0x1eff], // Latin of Vietnamese and others
  [0x3041, 0x3096], // Hiragana
  [0x30a1, 0x30fa], // Katakana
  [0x1f300, 0x1f3fa], // Emoji, without the modifiers of skin
  [0x1f400, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
];
/** Characters that equal only themselves. */
const SELF_RANGES: readonly (readonly [number, number])[] = [
  [0x4e00, 0x9fa5], // Han
  [0xac00, 0xd7a3], // Hangul
];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

export function createIndexText(compare: Compare, comparePrimary: Compare): IndexTexts {
  let classes: ReadonlyMap<string, string> | undefined;
  return {
    textOf(text) {
      classes ??= classesOf(compare, comparePrimary);
      let result = '';
      for (const character of text.normalize('NFC')) {
        const standsFor = classes.get(character) ?? (isSelf(character) ? character : undefined);
        if (standsFor === undefined) return undefined;
        result += standsFor;
      }
      return result;
    },
  };
}

function isSelf(character: string): boolean {
  const code = character.codePointAt(0) as number;
  return SELF_RANGES.some(([first, last]) => code >= first && code <= last);
}

/** For each simple character, the first of its class. */
function classesOf(compare: Compare, comparePrimary: Compare): ReadonlyMap<string, string> {
  // Hungarian doubles its digraphs so: letters do not count by themselves there, and no string is simple.
  if (comparePrimary('ccs', 'cscs') === 0) return new Map();
  const isNumeric = compare('2', '10') < 0;
  const characters = COMPARED_RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  ).filter((character) => isSimple(character, comparePrimary) && !(isNumeric && /\p{Nd}/u.test(character)));
  characters.sort(compare);
  const classes = new Map<string, string>();
  let standsFor: string | undefined;
  for (const character of characters) {
    if (standsFor === undefined || compare(standsFor, character) !== 0) standsFor = character;
    classes.set(character, standsFor);
  }
  return classes;
}

function isSimple(character: string, comparePrimary: Compare): boolean {
  if (!/^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(character)) return false;
  // Decomposed, one character may stay beside its marks.
  if ([...character.normalize('NFKD')].filter((part) => !/\p{M}/u.test(part)).length !== 1) return false;
  if (comparePrimary(character, '') === 0) return false;
  // A ligature equals two letters, such as æ.
  const mayBeLigature = /[^\p{ASCII}]/u.test(character) && /\p{Script=Latin}/u.test(character);
  return !mayBeLigature || !PAIRS.some((pair) => comparePrimary(pair, character) === 0);
}

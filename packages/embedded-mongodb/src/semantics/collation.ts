import { type BsonValue, type Document, int32, isNumeric, typeName } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import { createIndexText } from './collation-index-text.ts';
import { toNearestDouble } from './numbers.ts';

/** How strings compare, where that is not by their bytes. Undefined stands for `{locale: 'simple'}` throughout. */
export interface Collation {
  /** All options, with their defaults, as `listIndexes` gives them back. */
  readonly specification: Document;
  /** Two collations are the same exactly when their signatures are. */
  readonly signature: string;
  compareStrings(a: string, b: string): number;
  /**
   * The text that stands for a string in an index; see collation-index-text. It has no order, and strings that
   * are not simple share one.
   */
  indexText(text: string): string;
  /** Whether the string shares its index text with strings that are not equal to it, and may have equals with another. */
  hasSharedIndexText(text: string): boolean;
}

/** Options with one value that is served, which is ICU's default: https://www.mongodb.com/docs/v7.0/reference/collation/ */
const ONLY_SERVED: readonly (readonly [name: string, value: string | boolean])[] = [
  ['caseFirst', 'off'],
  ['alternate', 'non-ignorable'],
  ['maxVariable', 'punct'],
  ['normalization', false],
  ['backwards', false],
];
const OPTIONS = new Set([
  'locale',
  'caseLevel',
  'strength',
  'numericOrdering',
  'version',
  ...ONLY_SERVED.map(([name]) => name),
]);
/** The version of ICU's data that mongod 7 writes into specifications. */
const ICU_VERSION = '57.1';
const SENSITIVITY = { 1: 'base', 2: 'accent', 3: 'variant' } as const;

const cache = new Map<string, Collation>();

/**
 * Reads a collation as commands and index specifications take it; undefined for binary comparison.
 * @throws MongoDB's errors for what is wrong, NotImplemented for options that would compare in a way that is not served.
 */
export function parseCollation(given: BsonValue | undefined): Collation | undefined {
  if (given === undefined || given === null) return undefined;
  if (!(given instanceof Map)) {
    throw mongoError(
      'TypeMismatch',
      `BSON field 'collation' is the wrong type '${typeName(given)}', expected type 'object'`,
    );
  }
  if (given.size === 0) return undefined;
  for (const name of given.keys()) {
    if (!OPTIONS.has(name)) throw mongoError(40415, `BSON field 'collation.${name}' is an unknown field.`);
  }
  const locale = given.get('locale');
  if (locale === undefined)
    throw mongoError(40414, "BSON field 'collation.locale' is missing but a required field");
  if (typeof locale !== 'string') throw wrongType('locale', locale, 'string');
  if (locale === 'simple') return simple(given);
  refuseUnservedOptions(given);
  return known({
    locale,
    strength: readStrength(given.get('strength')),
    caseLevel: readFlag(given, 'caseLevel'),
    numericOrdering: readFlag(given, 'numericOrdering'),
  });
}

function simple(given: Document): undefined {
  if (given.size === 1) return undefined;
  throw mongoError('BadValue', "The locale 'simple' takes no other collation options");
}

function wrongType(option: string, value: BsonValue, expected: string): Error {
  return mongoError(
    'TypeMismatch',
    `BSON field 'collation.${option}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );
}

function refuseUnservedOptions(given: Document): void {
  for (const [name, served] of ONLY_SERVED) {
    const value = given.get(name);
    if (value === undefined || value === served) continue;
    if (typeof value !== typeof served)
      throw wrongType(name, value, typeof served === 'string' ? 'string' : 'bool');
    throw notImplemented(`the collation option ${name}: ${JSON.stringify(value)}`);
  }
}

function readFlag(given: Document, option: string): boolean {
  const value = given.get(option) ?? false;
  if (typeof value !== 'boolean') throw wrongType(option, value, 'bool');
  return value;
}

function readStrength(value: BsonValue | undefined): 1 | 2 | 3 {
  if (value === undefined) return 3;
  if (!isNumeric(value)) throw wrongType('strength', value, 'int');
  const strength = toNearestDouble(value);
  if (strength === 1 || strength === 2 || strength === 3) return strength;
  if (strength === 4 || strength === 5) throw notImplemented(`the collation strength ${strength}`);
  throw mongoError(
    'BadValue',
    `Enumeration value '${strength}' for field 'collation.strength' is not a valid value.`,
  );
}

interface CollationOptions {
  locale: string;
  strength: 1 | 2 | 3;
  caseLevel: boolean;
  numericOrdering: boolean;
}

function known(options: CollationOptions): Collation {
  const signature = JSON.stringify(options);
  const cached = cache.get(signature);
  if (cached !== undefined) return cached;
  const made = makeCollation(options, signature);
  cache.set(signature, made);
  return made;
}

const PLAIN_LOCALE = /^[a-z]{2,3}(?:_[A-Z][a-z]{3})?(?:_[A-Z]{2})?$/;

/** MongoDB's names are ICU's, `en_US`; Intl's are BCP 47's, `en-US`. */
function intlLocale(locale: string): string {
  if (locale.includes('@')) throw notImplemented(`the collation locale '${locale}'`);
  const tag = locale.replaceAll('_', '-');
  if (!PLAIN_LOCALE.test(locale) || Intl.Collator.supportedLocalesOf(tag).length === 0) {
    throw mongoError('BadValue', `Field 'locale' is invalid in: { locale: "${locale}" }`);
  }
  // Canadian French compares accents from the end, which is an option ('backwards') that is not served.
  if (locale === 'fr_CA') throw notImplemented(`the collation locale '${locale}'`);
  return tag;
}

function makeCollation(options: CollationOptions, signature: string): Collation {
  const { locale, strength, caseLevel, numericOrdering } = options;
  if (caseLevel && strength !== 1)
    throw notImplemented(`the collation option caseLevel: true with the strength ${strength}`);
  const tag = intlLocale(locale);
  const collator = (sensitivity: 'base' | 'case' | 'accent' | 'variant') =>
    new Intl.Collator(tag, {
      sensitivity,
      numeric: numericOrdering,
      ignorePunctuation: false,
      caseFirst: 'false',
    });
  const compareStrings = collator(caseLevel ? 'case' : SENSITIVITY[strength]).compare;
  const indexTexts = createIndexText(compareStrings, collator('base').compare);
  return {
    specification: new Map<string, BsonValue>([
      ['locale', locale],
      ['caseLevel', caseLevel],
      ['caseFirst', 'off'],
      ['strength', int32(strength)],
      ['numericOrdering', numericOrdering],
      ['alternate', 'non-ignorable'],
      ['maxVariable', 'punct'],
      ['normalization', false],
      ['backwards', false],
      ['version', ICU_VERSION],
    ]),
    signature,
    compareStrings,
    indexText: (text) => indexTexts.textOf(text) ?? SHARED_INDEX_TEXT,
    hasSharedIndexText: (text) => indexTexts.textOf(text) === undefined,
  };
}

/** A string of no simple characters: its index text is that of all that are not simple. */
export const SHARED_INDEX_TEXT = '\u00ad';

/** Whether two collations compare alike. */
export function sameCollation(a: Collation | undefined, b: Collation | undefined): boolean {
  return a?.signature === b?.signature;
}

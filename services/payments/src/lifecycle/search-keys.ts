/** The texts of a payment that the search compares, and lists have. */
interface ListedTexts {
  reference: string | null;
  purpose: string | null;
  payer: { name: string | null; account: string | null; email: string | null } | null;
}

interface Searchable extends ListedTexts {
  _id: string;
  metadata: { value: string }[] | null;
}

/** Each key is an entry of the index: it costs time and storage when the payment is created. */
const MAX_SEARCH_KEYS = 20;
/** Words of one text that a search finds: the first ones. */
export const MAX_SEARCHED_WORDS = 4;
/** Words of one value of the metadata. */
export const MAX_METADATA_WORDS = 2;
/** In UTF-16 code units. A longer text is found by this beginning, and then compared as a whole. */
const MAX_SEARCH_KEY_LENGTH = 64;
/** An end of an id has at least this many characters: shorter ones are the end of too many ids. */
export const MIN_ID_END = 5;
const ID_END_LENGTH = 8;
/** Begins the key of the end of an id. No text of a payment contains it. */
const ID_END = '\u{1}';
/** Sorts behind every text: no search text contains it. */
const LAST_CHARACTER = '\u{10ffff}';
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Letters that Unicode does not decompose into a letter and an accent. */
const PLAIN_LETTERS: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' },
};

/** The text in one form of Unicode, in lower case, with single spaces. */
export function searchTextOf(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(LAST_CHARACTER, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** The text as a search compares it: without accents, too. */
export function foldedTextOf(text: string): string {
  return searchTextOf(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøłđı]/g, (letter) => PLAIN_LETTERS[letter] as string)
    .normalize('NFKC');
}

/** The whole text in the forms that the index has. The one with accents serves filters by the exact text. */
export function searchFormsOf(text: string | null | undefined): string[] {
  const forms = new Set([searchTextOf(text ?? ''), foldedTextOf(text ?? '')]);
  return [...forms].filter((form) => form !== '');
}

/** The words of a text that `foldedTextOf` returned. */
export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** The keys of the payment in the index of the search: what most likely names it comes first. */
export function searchKeysOf({ _id, reference, purpose, payer, metadata }: Searchable): string[] {
  const account = searchFormsOf(payer?.account);
  const keys = [
    idEndKeyOf(_id),
    ...[...searchFormsOf(reference), ...keysOfText(reference, MAX_SEARCHED_WORDS)],
    ...[...searchFormsOf(payer?.name), ...keysOfText(payer?.name, MAX_SEARCHED_WORDS)],
    ...searchFormsOf(payer?.email),
    ...account,
    ...account.slice(-1).map(withoutSpaces),
    ...(metadata ?? []).flatMap(({ value }) => keysOfText(value, MAX_METADATA_WORDS)),
    ...keysOfText(purpose, MAX_SEARCHED_WORDS),
  ];
  return [...new Set(keys.map(searchKeyOf))].slice(0, MAX_SEARCH_KEYS);
}

/** An account is often written in groups. */
export function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '');
}

/** The folded text, which finds its first word unless it begins with a sign, and the other words. */
function keysOfText(text: string | null | undefined, limit: number): string[] {
  const folded = foldedTextOf(text ?? '');
  const words = wordsOf(folded).slice(0, limit);
  return folded === '' ? [] : [folded, ...(folded.startsWith(words[0] ?? '') ? words.slice(1) : words)];
}

/** The part of a search text that the index contains. */
export function searchKeyOf(text: string): string {
  return text.slice(0, MAX_SEARCH_KEY_LENGTH).toWellFormed();
}

/** The key with which the keys of ids begin that end like this: an index finds beginnings only. */
export function idEndKeyOf(end: string): string {
  return ID_END + [...end.slice(-ID_END_LENGTH)].reverse().join('');
}

/** The bound of all keys that begin with this one. */
export function behindSearchKey(key: string): string {
  return key + LAST_CHARACTER;
}

/** Whether a key of the payment begins with the text. If the text is longer than a key, the text behind the key decides. */
export function hasSearchText(
  {
    search_keys,
    reference,
    purpose,
    payer,
  }: Omit<Searchable, '_id' | 'metadata'> & { search_keys: string[] },
  text: string,
): boolean {
  const key = searchKeyOf(text);
  if (!search_keys.some((other) => other.startsWith(key))) return false;
  if (key === text) return true;
  return [reference, purpose, payer?.name, payer?.email]
    .flatMap(searchFormsOf)
    .every((other) => !other.includes(key) || other.includes(text));
}

/** The part of a payment that the search compares. */
interface Searchable {
  reference: string | null;
  payer: { name: string | null; account: string | null; email: string | null } | null;
}

/** Words of a reference or a name that a search finds by their beginning. Each is an entry of the index. */
export const MAX_SEARCHED_WORDS = 4;
/** In UTF-16 code units. A longer text is found by this beginning, and then compared as a whole. */
const MAX_SEARCH_KEY_LENGTH = 64;
/** Sorts behind every text: no search text contains it. */
const LAST_CHARACTER = '\u{10ffff}';
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The text as a search compares it: in one form of Unicode, in lower case, with single spaces. */
export function searchTextOf(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(LAST_CHARACTER, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** The keys of the payment in the index of the search. They begin as the texts do that the search compares. */
export function searchKeysOf(payment: Searchable): string[] {
  return [...new Set(searchedTexts(payment).map(searchKeyOf))];
}

/** The part of a search text that the index contains. */
export function searchKeyOf(text: string): string {
  return text.slice(0, MAX_SEARCH_KEY_LENGTH).toWellFormed();
}

/** The bound of all keys that begin with this one. */
export function behindSearchKey(key: string): string {
  return key + LAST_CHARACTER;
}

/** Whether a searched text of the payment begins with the search text. */
export function isFoundBy(payment: Searchable, searchText: string): boolean {
  return searchedTexts(payment).some((text) => text.startsWith(searchText));
}

function searchedTexts({ reference, payer }: Searchable): string[] {
  return [
    ...[reference, payer?.name].flatMap((text) => fromEachWord(searchTextOf(text ?? ''))),
    ...[payer?.email, payer?.account].map((text) => searchTextOf(text ?? '')),
  ].filter((text) => text !== '');
}

/** The text, and the rest of it from each further word on: `ada lovelace` and `lovelace`. */
function fromEachWord(text: string): string[] {
  const starts = [0, ...text.matchAll(WORD).map(({ index }) => index)];
  return [...new Set(starts)].slice(0, MAX_SEARCHED_WORDS).map((start) => text.slice(start));
}

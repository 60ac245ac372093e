import type { AuditEntry } from '@tollgate/contracts/audit/audit';

/** Maximum per record. Each word is an index entry, which a long name must not multiply. */
const MAX_WORDS = 48;
const MAX_WORD_LENGTH = 128;

const NOT_PART_OF_A_WORD = /[^\p{L}\p{N}]+/u;

/**
 * The texts that a search matches, in lower case: names up to white space and their parts, and whole ids, address, and
 * request id.
 */
export function searchWordsOf(entry: AuditEntry & { id: string }): string[] {
  const { actor, target, context, application_id } = entry;
  const words = [
    ...[entry.id, actor.id, actor.session_id, target.id, application_id, context.ip, context.request_id].map(
      (id) => id?.toLowerCase(),
    ),
    ...[actor.name, target.name].flatMap((name) => wordsOfName(name ?? '')),
  ].filter((word) => word !== undefined && word !== '');
  return [...new Set(words as string[])]
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD_LENGTH).toWellFormed());
}

function wordsOfName(name: string): string[] {
  const lower = name.toLowerCase();
  return [...lower.split(/\s+/), ...lower.split(NOT_PART_OF_A_WORD)];
}

/** The word prefixes of a search. */
export function searchTermsOf(search: string): string[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(terms)].slice(0, MAX_WORDS).map((term) => term.slice(0, MAX_WORD_LENGTH).toWellFormed());
}

import { SCOPE_NAMES, SCOPES, type Scope } from '@tollgate/contracts/applications/scopes';

/** All scopes, for a field. */
export const SCOPE_OPTIONS = SCOPE_NAMES.map((value) => ({
  value,
  label: SCOPES[value].title,
  description: SCOPES[value].allows,
}));

/** `Create, read and cancel payments`: what the scopes allow, short enough for a table row. */
export function scopesLabel(scopes: readonly Scope[]): string {
  const verbs = SCOPE_NAMES.filter((scope) => scopes.includes(scope)).map(verbOf);
  if (verbs.length === 0) return 'No scopes';
  const sentence = `${listLabel(verbs)} payments`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The same for a key. A key without scopes of its own inherits all scopes of its application, including later ones. */
export function keyScopesLabel(scopes: readonly Scope[] | null): string {
  return scopes === null ? 'All application scopes' : scopesLabel(scopes);
}

function verbOf(scope: Scope): string {
  return scope.slice(scope.indexOf(':') + 1);
}

function listLabel(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  if (words.length <= 2) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${last}`;
}

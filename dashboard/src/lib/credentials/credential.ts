import type { Environment } from '@tollgate/contracts/platform/environment';

/** The public part of an API key or an API token. */
export interface PublicPart {
  kind: Environment | 'admin';
  /** The lookup id or its beginning; empty if the text ends before it. */
  lookupId: string;
}

const CREDENTIAL = /tg_(live|sandbox|admin)_([0-9A-Za-z]{0,16})/;

/** Finds an API key or API token in a pasted text, such as an `Authorization` header. The secret part is left out. Null if there is none. */
export function credentialIn(text: string): PublicPart | null {
  const [, kind, lookupId = ''] = CREDENTIAL.exec(text) ?? [];
  return kind === undefined ? null : { kind: kind as PublicPart['kind'], lookupId };
}

/** A query without the secret part of API keys and API tokens in its values: histories and logs keep addresses. */
export function queryWithoutSecrets(fields: Iterable<[name: string, value: string]>): URLSearchParams {
  return new URLSearchParams(Array.from(fields, ([name, value]) => [name, withoutSecrets(value)]));
}

function withoutSecrets(text: string): string {
  return text.replace(/(tg_(?:live|sandbox|admin)_[0-9A-Za-z]{0,16})\S*/g, '$1');
}

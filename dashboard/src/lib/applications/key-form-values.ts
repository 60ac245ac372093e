import type { Scope } from '@tollgate/contracts/applications/scopes';

/** The values of a form about an API key. */
export interface KeyFormValues {
  name: string;
  /** Null: all scopes of the application. */
  scopes: Scope[] | null;
  /** `2026-12-31`; empty for no expiry. */
  expiresOn: string;
  allowedCidrs: string[];
}

export const NEW_KEY: KeyFormValues = { name: '', scopes: null, expiresOn: '', allowedCidrs: [] };

import Type from 'typebox';

/** What each scope allows, in the words the dashboard and the reference show. */
export const SCOPES = {
  'payment:create': 'Create payments',
  'payment:read': 'Read payments',
  'payment:cancel': 'Cancel pending payments',
} as const;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

export const ScopesSchema = Type.Array(Type.Enum(SCOPE_NAMES), { uniqueItems: true });

/**
 * What each scope allows, as the dashboard and the reference show it. Apart from the schema, so that the
 * browser does not load the schema library.
 */
export const SCOPES = {
  'payment:create': { title: 'Create payments', allows: 'Create payments of any amount and currency.' },
  'payment:read': {
    title: 'Read payments',
    allows: 'Read the status, amount, payer, and payee of payments that the application created.',
  },
  'payment:cancel': {
    title: 'Cancel payments',
    allows: 'Cancel payments of the application while they are pending.',
  },
} as const;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

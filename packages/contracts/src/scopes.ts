/**
 * What each scope allows, as the dashboard and the reference show it. The schema is in its own file, so that the
 * browser does not load the schema library.
 */
export const SCOPES = {
  'payment:create': {
    title: 'Create payments',
    allows: 'Start payments of any amount and currency.',
  },
  'payment:read': {
    title: 'Read payments',
    allows: 'See status, amount, payer and payee of the payments that the application has made.',
  },
  'payment:cancel': {
    title: 'Cancel payments',
    allows: 'Stop a payment of the application while it is still pending.',
  },
} as const;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

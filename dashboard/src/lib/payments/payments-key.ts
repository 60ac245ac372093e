/** What loads that show payments depend on: invalidated when one of the payments has changed. */
export const PAYMENTS_KEY = 'tollgate:payments';

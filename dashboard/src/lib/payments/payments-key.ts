/** Dependency key of loads that show payments: invalidated when a payment changes. */
export const PAYMENTS_KEY = 'tollgate:payments';

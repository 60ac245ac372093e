/** What loads that show how far a verification is depend on. */
export const VERIFICATION_KEY = 'tollgate:audit-verification';

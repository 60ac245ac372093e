/** Dependency key of loads that show the progress of a verification. */
export const VERIFICATION_KEY = 'tollgate:audit-verification';

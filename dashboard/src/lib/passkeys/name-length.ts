/** `ACCOUNT_LIMITS.name` of the contracts, which browser code does not import: it would load typebox. */
export const MAX_PASSKEY_NAME_LENGTH = 80;

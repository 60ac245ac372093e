/** Size of a request body in bytes. A larger one is rejected before it is parsed. */
export const BODY_LIMITS = {
  payments: 128 * 1024,
  secretScanning: 512 * 1024,
} as const;

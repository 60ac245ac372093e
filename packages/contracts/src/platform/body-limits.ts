/** Size of a request body in bytes. A larger one is rejected before it is parsed. */
export const BODY_LIMITS = {
  payments: 128 * 1024,
  /** An alert has about 300 bytes, so that this is above the largest number of alerts. */
  secretScanning: 512 * 1024,
} as const;

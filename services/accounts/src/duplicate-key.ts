const DUPLICATE_KEY = 11000;

/** Whether a write failed because a unique index holds the value already. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
}

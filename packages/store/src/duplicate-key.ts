/** MongoDB's error code for a write that a unique index rejects. */
const DUPLICATE_KEY = 11000;

/** Whether a write failed because a unique index already contains the value. Accepts an error, or one of its write errors. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
}

/** Awaits a write. False when a unique index already contains its value, so that nothing was written. */
export async function wroteUnlessDuplicate(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

import { UsageError } from './command.ts';

/**
 * Shows failures of servers and disks without a stack trace, and with their consequence for the user.
 * @throws UsageError
 */
export async function explainFailure<T>(consequence: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    const reason = error.name === 'AbortError' ? 'Interrupted.' : error.message;
    throw new UsageError(`${reason} ${consequence}`);
  }
}

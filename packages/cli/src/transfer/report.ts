import { UsageError } from '../command.ts';
import type { ExportManifest } from './transfer-manifest.ts';

const MIB = 1024 * 1024;

export function formatTotals({ collections }: ExportManifest): string {
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0);
  const bytes = collections.reduce((sum, collection) => sum + collection.bytes, 0);
  return `${documents} documents of ${collections.length} collections (${(bytes / MIB).toFixed(1)} MiB)`;
}

/** Failures of servers and disks without a stack trace. @throws UsageError */
export async function explainFailure<T>(consequence: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    const reason = error.name === 'AbortError' ? 'Interrupted.' : error.message;
    throw new UsageError(`${reason} ${consequence}`);
  }
}

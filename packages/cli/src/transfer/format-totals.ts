import type { ExportManifest } from './transfer-manifest.ts';

const MIB = 1024 * 1024;

export function formatTotals({ collections }: ExportManifest): string {
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0);
  const bytes = collections.reduce((sum, collection) => sum + collection.bytes, 0);
  return `${documents} documents of ${collections.length} collections (${(bytes / MIB).toFixed(1)} MiB)`;
}

import type { AdminClient } from '@tollgate/admin-client/admin-client';

export interface RequestedExport {
  path: string;
  query: Record<string, string | number | undefined>;
  fileName: string;
  /** Aborts the export at the gateway when the download is canceled. */
  signal: AbortSignal;
}

/** Relays an export of the gateway as a download. The session stays on this server. */
export async function relayExport(
  admin: AdminClient,
  { path, query, fileName, signal }: RequestedExport,
): Promise<Response> {
  const upstream = await admin.open(path, query, signal);
  return new Response(upstream.body, {
    headers: {
      'content-type': upstream.headers.get('content-type') ?? 'application/octet-stream',
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  });
}

/** `tollgate-live-payments-from-2026-10-01-to-2026-10-31.csv`. Without a period, with the day of the export. */
export function csvFileName(environment: string, what: 'payments' | 'usage', period = ''): string {
  return `tollgate-${environment}-${what}-${period || new Date().toISOString().slice(0, 10)}.csv`;
}

interface Download {
  locals: Pick<App.Locals, 'admin'>;
  request: Pick<Request, 'signal'>;
}

/** Relays an export of the gateway as a download. The session stays on this server. */
export async function relayExport(
  { locals, request }: Download,
  path: string,
  query: Record<string, string | number | undefined>,
  fileName: string,
): Promise<Response> {
  // The signal aborts the export at the gateway when the download is canceled.
  const upstream = await locals.admin.open(path, query, request.signal);
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

import type { QuickstartParts } from './quickstart.ts';

/** What the terminal shows when everything runs: addresses, and a first payment to paste. */
export function greeting(parts: QuickstartParts, files: { quickstart: string; logsDir: string }): string {
  const { application, livePort, sandboxPort } = parts;
  return `
Tollgate runs.

  live      http://localhost:${livePort}
  sandbox   http://localhost:${sandboxPort}
  reference http://localhost:${livePort}/docs

A first payment, in the sandbox:

  curl -i http://localhost:${sandboxPort}/v1/payments \\
    -H 'Authorization: Bearer ${application.apiKeys.sandbox}' \\
    -H "Idempotency-Key: $(date +%s)-$$" \\
    -H 'Content-Type: application/json' \\
    -d '{"amount": 1999, "currency": "EUR", "reference": "order-1"}'

Keys and addresses: ${files.quickstart}
Logs: ${files.logsDir}
Ctrl-C stops everything.
`;
}

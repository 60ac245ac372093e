import { httpOrigin } from '@tollgate/http/http-origin';
import { type Finding, notChecked, ok, problem } from './finding.ts';

/** Name of the metric of `createUnreadableAddressCounter`. Importing it would add the metrics library to the command. */
const METRIC = 'tollgate_unreadable_client_addresses_total';
const TIMEOUT_MS = 2_000;
/** A listener on every interface is reached at the loopback address of its family. */
const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Asks the process that runs beside this command whether its proxies send the addresses of clients in a form that it can read. */
export async function checkAddresses(
  role: string,
  { opsHost, opsPort }: { opsHost: string; opsPort: number },
): Promise<Finding> {
  const metrics = await readMetrics(`${httpOrigin(LOOPBACK[opsHost] ?? opsHost, opsPort)}/metrics`);
  if (metrics === null) {
    return notChecked(
      'addresses',
      role,
      'No process responds at OPS_PORT. Run the command in the container of a running process.',
    );
  }
  const count = sumOf(metrics, METRIC);
  if (count === 0) return ok('addresses', role, 'The process could read the address of every client.');
  return problem(
    'addresses',
    role,
    `Since its start, ${count} requests came from a trusted proxy without an IP address of the client in X-Forwarded-For.`,
    'Configure the proxy to append the IP address of the client. The log has an example: "a trusted proxy sent an entry". Until then, all these clients share one limit, and no allowed network matches.',
  );
}

async function readMetrics(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/** The sum over all labels, in the text format of Prometheus. */
function sumOf(metrics: string, name: string): number {
  const samples = metrics.split('\n').filter((line) => line.startsWith(`${name}{`));
  return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

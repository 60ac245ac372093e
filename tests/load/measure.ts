import autocannon from 'autocannon';
import { cpuTimeMs } from './process-cpu.ts';

export const CONNECTIONS = 64;

export interface Target {
  name: string;
  url: string;
  /** The process that responds. */
  pid: number;
  headers: Record<string, string>;
}

export interface LoadOptions {
  target: Target;
  method: 'GET' | 'POST';
  path: string;
  /** When the load ends. */
  until: { seconds: number } | { requests: number };
}

export interface Sample {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMsPer1000: number;
}

export const CREATE_BODY = JSON.stringify({
  amount: 1999,
  currency: 'EUR',
  reference: 'load',
  payment_method: 'pm_hold',
});

/** Sends requests as fast as responses arrive; a POST creates a payment. Throws when a response is not 2xx. */
export async function measure({ target, method, path, until }: LoadOptions): Promise<Sample> {
  const isPost = method === 'POST';
  const cpuBeforeMs = cpuTimeMs(target.pid);
  const result = await autocannon({
    url: `${target.url}${path}`,
    method,
    headers: { ...target.headers, ...(isPost && { 'content-type': 'application/json' }) },
    ...(isPost && { body: CREATE_BODY }),
    connections: CONNECTIONS,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.requests }),
  });
  const rejected = result.non2xx + result.errors;
  if (rejected > 0)
    throw new Error(`${target.name}: ${rejected} of ${result.requests.total} requests did not get 2xx`);
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMsPer1000: ((cpuTimeMs(target.pid) - cpuBeforeMs) / result.requests.total) * 1000,
  };
}

export function pidOf({ pid }: { pid?: number | null | undefined }): number {
  if (typeof pid !== 'number') throw new Error('A process under load is not running.');
  return pid;
}

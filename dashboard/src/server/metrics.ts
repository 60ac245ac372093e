import { createUnreadableAddressCounter } from '@tollgate/runtime/unreadable-addresses';
import { Counter, Histogram, type Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createDashboardMetrics>;

const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Other methods share one label, because a client can send any method. */
const METHODS = ['GET', 'HEAD', 'POST'];

export function createDashboardMetrics(registry: Registry) {
  const requests = new Counter({
    name: 'tollgate_dashboard_requests_total',
    help: 'Completed requests, by method and status, including static files',
    labelNames: ['method', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'tollgate_dashboard_request_duration_seconds',
    help: 'Time until a response was sent, excluding event streams',
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  });
  return {
    countRequest(method: string, status: number, durationS: number) {
      requests.inc({ method: METHODS.includes(method) ? method : 'other', status });
      durations.observe(durationS);
    },
    countUnreadable: createUnreadableAddressCounter(registry),
  };
}

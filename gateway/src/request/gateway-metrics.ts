import type { Environment } from '@tollgate/contracts/platform/environment';
import { type CountUnreadable, createUnreadableAddressCounter } from '@tollgate/runtime/unreadable-addresses';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The gateway's listener that received a request. */
export type Listener = Environment | 'admin';

export interface GatewayMetrics {
  requests: Counter<'listener' | 'operation' | 'status_class'>;
  durations: Histogram<'listener' | 'operation'>;
  upstreamFailures: Counter<'reason'>;
  countUnreadable: CountUnreadable;
}

/** From a local response to the upstream timeout. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

/** `aliveInstances` is called at every scrape. */
export function createGatewayMetrics(registry: Registry, aliveInstances: () => number): GatewayMetrics {
  new Gauge({
    name: 'tollgate_gateway_payments_instances',
    help: 'Payments instances that this gateway can send requests to',
    registers: [registry],
    collect() {
      this.set(aliveInstances());
    },
  });
  return {
    requests: new Counter({
      name: 'tollgate_gateway_requests_total',
      help: 'Completed requests, by listener (live, sandbox, admin), operation, and class of the status; aborted: the client disconnected',
      labelNames: ['listener', 'operation', 'status_class'],
      registers: [registry],
    }),
    durations: new Histogram({
      name: 'tollgate_gateway_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its response',
      labelNames: ['listener', 'operation'],
      buckets: DURATION_BUCKETS_S,
      registers: [registry],
    }),
    upstreamFailures: new Counter({
      name: 'tollgate_gateway_upstream_failures_total',
      help: 'Requests to payments without a valid response, by reason',
      labelNames: ['reason'],
      registers: [registry],
    }),
    countUnreadable: createUnreadableAddressCounter(registry),
  };
}

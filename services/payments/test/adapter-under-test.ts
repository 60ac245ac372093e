import type { Principal } from '@tollgate/contracts/applications/principal';
import type { Payment } from '@tollgate/contracts/payments/payment';
import type { Logger } from '@tollgate/runtime/logger';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { NO_PROCESSORS } from '../src/processors/routing/processors-file.ts';
import { aPrincipal, startPaymentsUnderTest } from './payments-under-test.ts';
import { startScriptedAdapter } from './scripted-adapter.ts';
import { settleDue } from './settle-due.ts';

/** Longer than a busy machine pauses. */
const DEADLINE_MS = 30_000;
/** In real time, which tests should not wait for. */
const TRIAL_AFTER_MS = 5;

/**
 * The service with an adapter, which gets the live payments.
 * @param options.realTime for measurements; tests move the time
 * @param options.deadlineMs how long an adapter that hangs delays a call
 */
export async function startWithAdapter({
  realTime = false,
  deadlineMs = DEADLINE_MS,
  logger,
}: {
  realTime?: boolean;
  deadlineMs?: number;
  logger?: Logger;
} = {}) {
  const clock = realTime ? realClock() : createFakeClock();
  const adapter = await startScriptedAdapter(clock);
  const config = {
    url: adapter.url,
    secrets: adapter.secrets,
    maxConcurrent: 20,
    deadlineMs,
    trialAfterMs: TRIAL_AFTER_MS,
  };
  const payments = await startPaymentsUnderTest(
    {
      processorsFile: {
        ...NO_PROCESSORS,
        adapters: new Map([['acme', { ...config, referenceUrl: null }]]),
      },
      defaultProcessor: { live: 'acme', sandbox: 'sandbox' },
      ...(realTime && { sandboxSettlementDelayMs: 0 }),
    },
    clock,
    logger,
  );
  return {
    adapter,
    payments,
    /** A payment after the worker's first call. */
    async started(principal: Principal, fields: object = {}): Promise<Payment> {
      const { id } = await payments.create(principal, fields);
      await settleDue(payments.app);
      return payments.read(principal, id);
    },
    /** The payment after the worker's calls that are due by then. */
    async askAfter(ms: number, principal: Principal, id: string): Promise<Payment> {
      await payments.settleAfter(ms);
      return payments.read(principal, id);
    },
    cancel(principal: Principal, id: string, key?: string) {
      const request = { method: 'POST', path: `/v1/payments/${id}/cancel` } as const;
      return payments.send(principal, { ...request, ...(key !== undefined && { key }) });
    },
    deliver(message: { body: string; headers: Record<string, string> }, processor = 'acme') {
      return payments.app.callbackHttp.inject({
        method: 'POST',
        url: `/v1/processor-events/${processor}`,
        headers: { 'content-type': 'application/json', ...message.headers },
        payload: message.body,
      });
    },
    async stop() {
      await payments.stop();
      await adapter.stop();
    },
  };
}

function realClock(): FakeClock {
  return { now: Date.now, advance: noEffect, set: noEffect };
}

function noEffect(): never {
  throw new Error('The time is real.');
}

/** A key for live payments. */
export function aLivePrincipal(): Principal {
  return aPrincipal({ environment: 'live' });
}

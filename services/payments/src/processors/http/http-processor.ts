import { namedFields } from '@tollgate/contracts/platform/named-fields';
import { ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import type { Clock } from '@tollgate/runtime/clock';
import type { PaymentDocument } from '../../lifecycle/payment.ts';
import { paymentAtVersion } from '../../lifecycle/payment-at-version.ts';
import { isFinal } from '../../lifecycle/transitions.ts';
import type { Processor } from '../processor.ts';
import { createAdapterBreaker } from './adapter-breaker.ts';
import { type AdapterConfig, createAdapterClient } from './adapter-client.ts';

/** A processor behind an adapter. */
export interface HttpProcessor extends Processor {
  close(): Promise<void>;
}

export function createHttpProcessor(deps: {
  name: string;
  config: AdapterConfig;
  clock: Clock;
  /** Called when the breaker opens and when it closes. */
  onAvailable: (isAvailable: boolean) => void;
}): HttpProcessor {
  const { name, config, clock, onAvailable } = deps;
  const client = createAdapterClient(config, clock);
  const breaker = createAdapterBreaker({ trialAfterMs: config.trialAfterMs, onChange: onAvailable });
  return {
    name,
    isBuiltIn: false,
    firstDueAt: ({ createdAt }) => createdAt,
    start: (payment) => breaker.run(() => client.start(processorPayment(payment))),
    status: ({ _id, status }) => breaker.run(() => client.status(_id, { asksAgain: isFinal(status) })),
    cancel: ({ _id }) => breaker.run(() => client.cancel(_id)),
    capacity: () => breaker.capacity(config.maxConcurrent),
    isAvailable: breaker.isClosed,
    urlOf: (reference) =>
      config.referenceUrl?.replaceAll('{reference}', encodeURIComponent(reference)) ?? null,
    close: client.close,
  };
}

function processorPayment(document: PaymentDocument): ProcessorPayment {
  const payment = { ...paymentAtVersion(document), application_id: document.application_id };
  return namedFields(ProcessorPayment, payment) as ProcessorPayment;
}

import { recordSpans } from '@tollgate/tracing/span';
import { collectSpans } from '@tollgate/tracing/test/recorded-spans';
import { newTraceContext } from '@tollgate/tracing/trace-context';
import { afterEach, expect, it } from 'vitest';
import type { Shared } from '../context.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { attemptDelivery } from './attempt.ts';

afterEach(() => recordSpans(null));

it('the dispatcher ends the span of an attempt that fails without a result, for example without MongoDB', async () => {
  const spans = collectSpans();
  const error = new Error('MongoDB is down');
  const shared = { bodies: { get: () => Promise.reject(error) } } as unknown as Shared;
  const delivery = { _id: 'dlv_1', ...newTraceContext() } as unknown as Delivery;
  await expect(attemptDelivery(shared, {} as Endpoint, delivery)).rejects.toBe(error);
  expect(spans).toMatchObject([{ component: 'webhooks', name: 'webhook attempt', outcomes: [{ error }] }]);
});

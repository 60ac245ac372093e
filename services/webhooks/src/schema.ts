import { IDEMPOTENCY_KEY_INDEXES, IDEMPOTENCY_KEYS } from '@tollgate/store/idempotency-store';
import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import { DELIVERY_INDEXES } from './deliveries/delivery.ts';
import { ENDPOINT_INDEXES } from './endpoints/endpoint.ts';
import { ERASURE_INDEXES, ERASURES } from './erasure/erasure-store.ts';
import { EVENT_INDEXES } from './fan-out/event.ts';

export const webhooksSchema: DatabaseSchema = {
  version: 1,
  readableFrom: 1,
  indexes: {
    endpoints: ENDPOINT_INDEXES,
    events: EVENT_INDEXES,
    deliveries: DELIVERY_INDEXES,
    [ERASURES]: ERASURE_INDEXES,
    [IDEMPOTENCY_KEYS]: IDEMPOTENCY_KEY_INDEXES,
  },
};

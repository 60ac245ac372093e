import { IDEMPOTENCY_KEY_INDEXES, IDEMPOTENCY_KEYS } from '@tollgate/store/idempotency-store';
import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import { HEAD_INDEXES } from './heads/head-store.ts';
import { NODE_INDEXES } from './heads/node-store.ts';
import { RECORD_INDEXES } from './records/record-store.ts';
import { VERIFICATION_INDEXES } from './verification/verification-store.ts';

export const auditSchema: DatabaseSchema = {
  version: 1,
  readableFrom: 1,
  indexes: {
    records: RECORD_INDEXES,
    heads: HEAD_INDEXES,
    nodes: NODE_INDEXES,
    verifications: VERIFICATION_INDEXES,
    [IDEMPOTENCY_KEYS]: IDEMPOTENCY_KEY_INDEXES,
  },
};

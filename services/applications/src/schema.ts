import { IDEMPOTENCY_KEY_INDEXES, IDEMPOTENCY_KEYS } from '@tollgate/store/idempotency-store';
import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import { APPLICATION_INDEXES } from './applications/application-store.ts';
import { API_KEY_INDEXES } from './keys/api-key-store.ts';
import { LEAKED_KEY_POLICY_INDEXES } from './leaks/leaked-key-policy.ts';

export const applicationsSchema: DatabaseSchema = {
  version: 1,
  readableFrom: 1,
  indexes: {
    applications: APPLICATION_INDEXES,
    api_keys: API_KEY_INDEXES,
    leaked_key_policies: LEAKED_KEY_POLICY_INDEXES,
    [IDEMPOTENCY_KEYS]: IDEMPOTENCY_KEY_INDEXES,
  },
};

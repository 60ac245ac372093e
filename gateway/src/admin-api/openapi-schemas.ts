import * as account from '@tollgate/contracts/accounts/account';
import * as apiToken from '@tollgate/contracts/accounts/api-token';
import * as application from '@tollgate/contracts/applications/application';
import { RateLimit } from '@tollgate/contracts/applications/rate-limit';
import * as audit from '@tollgate/contracts/audit/audit';
import * as auditLog from '@tollgate/contracts/audit/audit-log';
import { PaymentCause } from '@tollgate/contracts/payments/events';
import { Party, PaymentFailure } from '@tollgate/contracts/payments/payment';
import * as paymentHistory from '@tollgate/contracts/payments/payment-history';
import { KeyUse, UsageRow, UsageTotal } from '@tollgate/contracts/usage/usage';
import * as webhook from '@tollgate/contracts/webhooks/webhook';
import type { TSchema } from 'typebox';
import { createDocumentSchemas, type DocumentSchemas } from '../docs/openapi-schemas.ts';
import { FieldErrorSchema } from '../docs/problem-schema.ts';

/** Schemas for the document of the admin API. Each resource of the contracts is a component under the name of its export. */
export function createAdminSchemas(): DocumentSchemas {
  const exported = {
    ...account,
    ...apiToken,
    ...application,
    ...audit,
    ...auditLog,
    ...paymentHistory,
    ...webhook,
  };
  return createDocumentSchemas({
    request: {},
    response: {
      ...resourcesIn(exported),
      ...{ PaymentCause, Party, PaymentFailure, RateLimit, KeyUse, UsageRow, UsageTotal },
      FieldError: FieldErrorSchema,
    },
  });
}

function resourcesIn(exported: Record<string, unknown>): Record<string, TSchema> {
  const resources = Object.entries(exported).filter(([, value]) => isResource(value));
  return Object.fromEntries(resources) as Record<string, TSchema>;
}

function isResource(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'object';
}

import { service as accounts } from '@tollgate/accounts/service';
import { service as applications } from '@tollgate/applications/service';
import { service as audit } from '@tollgate/audit/service';
import { component as dashboard } from '@tollgate/dashboard-server/component';
import { component as gateway } from '@tollgate/gateway/component';
import { service as payments } from '@tollgate/payments/service';
import type { Component } from '@tollgate/runtime/component';
import { serviceComponent } from '@tollgate/service/run-service';
import { service as usage } from '@tollgate/usage/service';
import { service as webhooks } from '@tollgate/webhooks/service';

/** Everything that has a `main.ts` of its own, in stages that stop in reverse order: callers before the services that they call. */
export const STAGES: readonly (readonly Component[])[] = [
  [
    serviceComponent(accounts),
    serviceComponent(applications),
    serviceComponent(payments),
    serviceComponent(webhooks),
    serviceComponent(usage),
    serviceComponent(audit),
  ],
  [gateway],
  [dashboard],
];

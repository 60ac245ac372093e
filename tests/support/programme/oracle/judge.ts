import type { History } from '../history.ts';
import { auditFindings, wrongAuditRecords } from './audit.ts';
import { duplicatedCharges, wrongCharges } from './charges.ts';
import { foreignDeliveries, forgedWebhooks, wrongDeliveries } from './deliveries.ts';
import { acceptedRevokedKeys, rejectedValidKeys } from './keys.ts';
import { duplicatedPayments, lostPayments, wrongOrders, wrongResponses } from './payments.ts';
import { unexpectedResponses, unresolvedOperations } from './responses.ts';
import { illegalTransitions, openPayments } from './transitions.ts';
import { wrongUsage } from './usage.ts';

/** Lists what is wrong with a history, one line each. */
export type Check = (history: History) => string[];

export const CHECKS = {
  'lost payment': lostPayments,
  'duplicated payment': duplicatedPayments,
  'wrong payment': wrongOrders,
  'wrong response': wrongResponses,
  'unexpected response': unexpectedResponses,
  'unresolved operation': unresolvedOperations,
  'illegal transition': illegalTransitions,
  'open payment': openPayments,
  'duplicated charge': duplicatedCharges,
  'wrong charge': wrongCharges,
  'wrong delivery': wrongDeliveries,
  'foreign delivery': foreignDeliveries,
  'forged webhook': forgedWebhooks,
  'wrong usage': wrongUsage,
  'wrong audit record': wrongAuditRecords,
  'audit finding': auditFindings,
  'accepted revoked key': acceptedRevokedKeys,
  'rejected valid key': rejectedValidKeys,
  leftover: ({ leftovers }) => [...leftovers],
} satisfies Record<string, Check>;

export type CheckName = keyof typeof CHECKS;

export interface Violation {
  check: CheckName;
  detail: string;
}

export function judge(history: History): Violation[] {
  return Object.entries(CHECKS).flatMap(([check, list]) =>
    list(history).map((detail) => ({ check: check as CheckName, detail })),
  );
}

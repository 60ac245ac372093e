import { ADAPTER_RULES, type AdapterRule } from '@tollgate/processor-adapter/contract/rules';
import type { AdapterCaller } from './adapter-caller.ts';
import { ADVICE } from './advice.ts';
import type { Check } from './check.ts';
import { AMOUNT_CHECKS } from './checks/amounts.ts';
import { CALLBACK_CHECKS } from './checks/callbacks.ts';
import { CANCEL_CHECKS } from './checks/cancel.ts';
import { HEALTH_CHECKS } from './checks/health.ts';
import { LOST_RESPONSE_CHECKS } from './checks/lost-responses.ts';
import { OUTCOME_CHECKS } from './checks/outcomes.ts';
import { PROCESSOR_FAULT_CHECKS } from './checks/processor-faults.ts';
import { SIGNATURE_CHECKS } from './checks/signatures.ts';
import { START_CHECKS } from './checks/start.ts';
import { STATUS_CHECKS } from './checks/status.ts';
import { VALIDATION_CHECKS } from './checks/validation.ts';
import { WEBHOOK_CHECKS } from './checks/webhooks.ts';
import { Finding, NotTested } from './finding.ts';
import type { Suite } from './suite.ts';

export const CHECKS: readonly Check[] = [
  ...HEALTH_CHECKS,
  ...SIGNATURE_CHECKS,
  ...VALIDATION_CHECKS,
  ...START_CHECKS,
  ...STATUS_CHECKS,
  ...CANCEL_CHECKS,
  ...OUTCOME_CHECKS,
  ...AMOUNT_CHECKS,
  ...CALLBACK_CHECKS,
  ...WEBHOOK_CHECKS,
  ...LOST_RESPONSE_CHECKS,
  ...PROCESSOR_FAULT_CHECKS,
];

export interface CheckResult {
  check: string;
  rule: AdapterRule;
  outcome: 'passed' | 'failed' | 'not tested';
  /** What a failed check found; absent unless the check failed. */
  finding?: { sentence: string; sent: string; expected: string; received: string; risk: string; fix: string };
  /** Why a check was not tested, and how to test it. */
  how?: string;
}

/** Runs the checks one after the other, until the adapter is unreachable. */
export async function runChecks(checks: readonly Check[], suite: Suite): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  let isReachable = true;
  for (const check of checks) {
    const { name, rule } = check;
    if (!isReachable) {
      const how = 'The adapter stopped responding in an earlier check. Fix that first.';
      results.push({ check: name, rule, outcome: 'not tested', how });
      continue;
    }
    const result = await runCheck(check, suite);
    results.push(result);
    if (result.outcome === 'failed') isReachable = await responds(suite.caller);
  }
  return results;
}

async function runCheck({ name, rule, run }: Check, suite: Suite): Promise<CheckResult> {
  try {
    await run(suite);
    return { check: name, rule, outcome: 'passed' };
  } catch (error) {
    if (error instanceof NotTested) return { check: name, rule, outcome: 'not tested', how: error.message };
    if (!(error instanceof Finding)) throw error;
    const broken = error.rule ?? rule;
    const { sent, expected, received } = error;
    const finding = { sentence: ADAPTER_RULES[broken], sent, expected, received, ...ADVICE[broken] };
    return { check: name, rule: broken, outcome: 'failed', finding };
  }
}

async function responds(caller: AdapterCaller): Promise<boolean> {
  try {
    return (await caller.health()).status !== null;
  } catch (error) {
    if (error instanceof Finding) return false;
    throw error;
  }
}

import type { Actor } from '@tollgate/contracts/accounts/actor';
import { type ProcessorHealth, SANDBOX_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { Context } from '../context.ts';
import type { Processor } from '../processors/processor.ts';

/** Returns the processors that payments of the environment may have, with the team's open payments. */
export async function listProcessors(
  context: Context,
  actor: Actor,
  environment: Environment,
): Promise<ProcessorHealth[]> {
  requireRole(actor, 'viewer', 'read processors');
  requireEnvironment(actor, environment);
  // The sandbox moves no money, so no live payment has it.
  const usable = [...context.processors.values()].filter(
    ({ name }) => environment === 'sandbox' || name !== SANDBOX_PROCESSOR,
  );
  return Promise.all(usable.map((processor) => healthOf(context, processor, actor.team_id, environment)));
}

async function healthOf(
  { history, differences, health, clock, stuckAfterMs }: Context,
  processor: Processor,
  teamId: string,
  environment: Environment,
): Promise<ProcessorHealth> {
  const { lastSuccessAt, lastError } = health.of(processor.name);
  const stuckSince = new Date(clock.now() - stuckAfterMs);
  const scope = { teamId, environment, processor: processor.name };
  const [open, stuck, differing] = await Promise.all([
    history.countOpen(scope, ['pending', 'processing'], null),
    history.countOpen(scope, ['processing'], stuckSince),
    differences.countUnresolvedOf({ team_id: teamId, environment, processor: processor.name }),
  ]);
  return {
    name: processor.name,
    is_built_in: processor.isBuiltIn,
    is_available: processor.isAvailable(),
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    last_error: lastError && { ...lastError, at: lastError.at.toISOString() },
    open_payments: open,
    stuck_payments: stuck,
    differing_payments: differing,
  };
}

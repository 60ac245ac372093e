import { member } from '@tollgate/bus/test/member';
import type { RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import type { RunningService } from '@tollgate/service/start-service';
import { type ServiceHarness, startServiceHarness } from '@tollgate/service/test/service-harness';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import type { Static, TSchema } from 'typebox';
import type { App } from '../src/app.ts';
import { service } from '../src/service.ts';

// Ahead of the wall-clock time, by which MongoDB removes what has expired.
export const NOW = Date.parse('2036-11-21T12:00:00.000Z');

export type Service = RunningService<App>;

export interface Harness extends Omit<ServiceHarness, 'call'> {
  /** Environment variables of a service process with the same servers. */
  processEnv: Record<string, string>;
  /** Starts a new instance. With `isStarted: false` it stays idle, for tests that call its parts directly. */
  startService(options?: { isStarted?: boolean }): Promise<Service>;
  /** Calls as a viewer of the team. */
  call<Request extends TSchema, Reply extends TSchema>(
    teamId: string,
    method: RpcContract<'member' | 'member-or-token', Request, Reply>,
    request: Static<Request>,
  ): Promise<Static<Reply>>;
}

export async function startHarness(): Promise<Harness> {
  const harness = await startServiceHarness({ name: 'usage', clock: createFakeClock(NOW) });
  return {
    ...harness,
    processEnv: harness.env,
    startService: ({ isStarted } = {}) => harness.start(service, harness.env, { isStarted }),
    call: (teamId, method, request) => harness.call(member('viewer', teamId), method, request),
  };
}

import type { Bus } from '@tollgate/bus/connection';
import { callRpc, type RpcCallOptions } from '@tollgate/bus/rpc';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import { Problem, type ProblemDetails } from '@tollgate/contracts/platform/problem';
import { type RpcCaller, type RpcContract, rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import type { Logger } from '@tollgate/runtime/logger';
import type { Static, TSchema } from 'typebox';
import type { Session } from '../request/request-state.ts';

const DEFAULT_RETRY_AFTER_S = 1;

export interface ServiceCallOptions extends Omit<RpcCallOptions, 'actorToken'> {
  requestId: string;
  /** As whom to call. Required by every contract but those for services. */
  session?: Session | null;
  /** Whether the call can change something, which is then unknown after a timeout. */
  isChange?: boolean;
}

/** Calls a method of a service. Throws the Problem to return. */
export type CallService = <Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  contract: RpcContract<Caller, Request, Reply>,
  request: Static<Request>,
  options: ServiceCallOptions,
) => Promise<Static<Reply>>;

/**
 * Problems that replace what a failing service or the bus reported: the originals may name internals, and do not say
 * that the other services still work.
 */
const FAILURES: Partial<
  Record<ErrorCode, (service: string, said: ProblemDetails, isChange: boolean) => Problem>
> = {
  unavailable: (service, { retryAfterS = DEFAULT_RETRY_AFTER_S, outcomeUnknown }) =>
    new Problem(
      'unavailable',
      `The ${service} service is unavailable. Everything that does not depend on it still works.`,
      { retryAfterS, ...(outcomeUnknown !== undefined && { outcomeUnknown }) },
    ),
  'upstream-timeout': (service, _said, isChange) =>
    new Problem(
      'upstream-timeout',
      `The ${service} service timed out. ${isChange ? 'The change may have been saved.' : 'Try again in a moment.'}`,
    ),
  'upstream-error': (service) =>
    new Problem('upstream-error', `The ${service} service sent an invalid reply.`),
  internal: (service) => new Problem('internal', `The ${service} service failed to process the request.`),
};

/** `bus` is undefined until the first connection to NATS. */
export function createCallService(deps: { bus: () => Bus | undefined; logger: Logger }): CallService {
  return async function callService(contract, request, { isChange = false, session, ...options }) {
    const actorToken = session?.actorTokenFor(rpcSubject(contract), options.requestId);
    const bus = deps.bus();
    try {
      if (!bus) throw new Problem('unavailable', 'NATS is not connected.');
      return await callRpc(bus, contract, request, { ...options, ...(actorToken && { actorToken }) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const problem = FAILURES[error.details.code]?.(contract.service, error.details, isChange);
      if (!problem) throw error;
      deps.logger.warn(
        {
          request_id: options.requestId,
          subject: rpcSubject(contract),
          code: error.details.code,
          err: error,
        },
        'an RPC to a service failed',
      );
      throw problem;
    }
  };
}

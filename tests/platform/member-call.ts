import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/actor';
import type { RpcCaller, RpcContract } from '@tollgate/contracts/rpc/contract';
import { createActorSigner } from '@tollgate/service-kit/actor-token';
import { systemClock } from '@tollgate/service-kit/clock';
import type { Static, TSchema } from 'typebox';

export type Call = <Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  contract: RpcContract<Caller, Request, Reply>,
  request: Static<Request>,
) => Promise<Static<Reply>>;

/** Calls methods as one member, and those for services as a service. */
export function createCall(bus: Bus, actorSigningKey: string, actor: Actor): Call {
  const sign = createActorSigner(actorSigningKey, systemClock);
  return async (contract, request) =>
    callRpc(bus, contract, request, contract.caller === 'member' ? { actorToken: await sign(actor) } : {});
}

import type { TObject, TProperties, TSchema } from 'typebox';
import { ClosedObject, Nothing } from './schema.ts';

/**
 * Who may call a method. `member-or-token`: the request carries a signed actor token of a member or an API token, and
 * the service checks the role. `member`: only a member, because the method is about a person, or about API tokens.
 * `service`: other services of the platform, limited by their NATS permissions, without an actor.
 */
export type RpcCaller = 'member' | 'member-or-token' | 'service';

/** One RPC method: `rpc.<service>.<method>`, with request and reply as JSON. Both sides validate with these schemas. */
export interface RpcContract<
  Caller extends RpcCaller = RpcCaller,
  Request extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> {
  service: string;
  method: string;
  caller: Caller;
  /**
   * Whether a call may carry an idempotency key: then the method creates one resource, however often it is called with
   * the key. The gateway sends no field of `FILLED_BY_GATEWAY` to such a method, because a repeated request may come
   * from another address.
   */
  idempotent: boolean;
  request: Request;
  reply: Reply;
}

/**
 * Creates the contracts of a service. A request has no other fields than those given. A contract without `request` or `reply` has an empty
 * one. What a method does is the summary of its route in `admin-api`, if it has one.
 */
export function contractsOf(service: string) {
  return <
    Caller extends RpcCaller,
    Request extends TProperties = Record<never, never>,
    Reply extends TSchema = typeof Nothing,
  >(
    method: string,
    caller: Caller,
    contract: { idempotent?: boolean; request?: Request; minProperties?: number; reply?: Reply } = {},
  ): RpcContract<Caller, TObject<Request>, Reply> => {
    const { request = {} as Request, reply = Nothing as TSchema as Reply, idempotent = false } = contract;
    const { minProperties } = contract;
    const options = minProperties === undefined ? {} : { minProperties };
    return { idempotent, caller, request: ClosedObject(request, options), reply, service, method };
  };
}

export function rpcSubject(contract: { service: string; method: string }): string {
  return `rpc.${contract.service}.${contract.method}`;
}

export const RPC_DEADLINE_MS = 5_000;

/** A larger reply is replaced with `reply-too-large`: exceeding NATS's own limit (1 MiB by default) would look like a timeout. */
export const MAX_REPLY_BYTES = 512 * 1024;

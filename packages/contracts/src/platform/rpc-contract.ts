import type { TSchema } from 'typebox';

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

export function rpc<Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  service: string,
  method: string,
  contract: { caller: Caller; idempotent?: boolean; request: Request; reply: Reply },
): RpcContract<Caller, Request, Reply> {
  return { idempotent: false, ...contract, service, method };
}

export function rpcSubject(contract: { service: string; method: string }): string {
  return `rpc.${contract.service}.${contract.method}`;
}

export const RPC_DEADLINE_MS = 5_000;

/**
 * A larger reply is replaced with `reply-too-large`: exceeding NATS's own limit (1 MiB by default) would look like a
 * timeout.
 */
export const MAX_REPLY_BYTES = 512 * 1024;

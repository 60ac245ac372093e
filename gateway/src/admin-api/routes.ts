import type { RpcCallOptions } from '@tollgate/bus/rpc';
import { tokenNotAccepted } from '@tollgate/contracts/accounts/actor';
import { type AdminRoute, rpcsOf } from '@tollgate/contracts/admin-api/route';
import { deprecationHeaders } from '@tollgate/contracts/platform/deprecation';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { parseIdempotencyKey } from '@tollgate/http/parse-idempotency-key';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rejectQuery, requireAccepted, requireJsonBody } from '../request/content-rules.ts';
import type { CallService, ServiceCallOptions } from '../rpc/call-service.ts';
import type { Admission } from './admission.ts';
import { mapFieldErrors, toHttpError } from './field-place.ts';
import { explainEntityTag } from './if-match.ts';
import { requestParts } from './request-parts.ts';
import { createReadRequest } from './route-request.ts';
import { sendResponse } from './route-response.ts';
import { callOptions } from './session.ts';
import { createWaits } from './waits.ts';

export function methodsOf({ method }: Pick<AdminRoute, 'method'>): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Admin routes by operation name. */
export type AdminRoutes = Readonly<Record<string, AdminRoute>>;

/** Registers every admin route with the same steps: rate limits, session, headers, fields, RPC, response. */
export function registerAdminRoutes(
  app: FastifyInstance,
  routes: AdminRoutes,
  deps: { callService: CallService; admission: Admission },
): void {
  const waits = createWaits(app);
  for (const [name, route] of Object.entries(routes)) {
    const readRequest = createReadRequest(route);
    const inHttpTerms = withFieldsOf(route);
    app.route({
      method: methodsOf(route),
      url: route.path,
      config: {
        operation: `${route.rpc.service}.${route.rpc.method}`,
        calls: rpcsOf(route),
        takesIdempotencyKey: route.rpc.idempotent,
        ...(route.deprecation && { deprecation: deprecationHeaders(route.deprecation) }),
      },
      // Before the body is read, so that a client without a session cannot make the gateway buffer one.
      async onRequest(request, reply) {
        if (route.access === 'public') deps.admission.countAddress(request, reply);
        else request.session = await deps.admission.admit(request, reply);
        if (!route.tokens && request.session?.caller.type === 'token') throw tokenNotAccepted();
        if (route.method !== 'GET') rejectQuery(request.raw.url ?? '');
        requireAccepted(request.raw, 'application/json');
      },
      async handler(request, reply) {
        requireJsonBody(request);
        const fields = readRequest(request);
        const rpc = (request.session?.caller.type === 'token' && route.tokenRpc) || route.rpc;
        const call = (options: ServiceCallOptions) => deps.callService(rpc, fields, options);
        const options = {
          ...callOptions(request),
          isChange: route.method !== 'GET',
          ...(route.rpc.idempotent && idempotencyOptions(request, reply)),
        };
        const waitS = waitSOf(fields);
        const body = await (waitS === 0
          ? call(options)
          : waits.run(request, waitS, (deadline) => call({ ...options, ...deadline }))
        ).catch((error: unknown) => {
          throw explainEntityTag(inHttpTerms(error), request.headers['if-match']);
        });
        return sendResponse([name, route], body, request, reply);
      },
    });
  }
}

/**
 * The key of the request, and the header that marks a replayed response. Other routes ignore `Idempotency-Key`. Throws
 * Problem: invalid-idempotency-key.
 */
function idempotencyOptions({ headers }: FastifyRequest, reply: FastifyReply): RpcCallOptions {
  const idempotencyKey = parseIdempotencyKey(textOf(headers[HEADERS.idempotencyKey]));
  if (idempotencyKey === null) return {};
  return { idempotencyKey, onReplayed: () => reply.header(HEADERS.idempotentReplayed, 'true') };
}

/** How long the caller wants to wait for something, in seconds. The field has this meaning in every route that has it. */
function waitSOf({ wait }: Record<string, unknown>): number {
  return typeof wait === 'number' ? wait : 0;
}

/** A second header was rejected before, so this is one text. */
function textOf(header: string | string[] | undefined): string | undefined {
  return header?.toString();
}

/**
 * Services name fields of the RPC request in their problems. The caller gets their place in the HTTP request instead.
 */
function withFieldsOf(route: AdminRoute): (error: unknown) => unknown {
  const { path } = requestParts(route);
  const isParameter = (name: string) => route.method === 'GET' || Object.hasOwn(path, name);
  return (error) => mapFieldErrors(error, (fieldError) => toHttpError(fieldError, isParameter));
}

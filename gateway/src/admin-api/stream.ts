import type { Readable } from 'node:stream';
import { getMe, getTeam } from '@tollgate/contracts/accounts/rpc';
import { STREAM_PATH } from '@tollgate/contracts/admin-api/routes';
import { EnvironmentSchema } from '@tollgate/contracts/platform/schema';
import type { Clock } from '@tollgate/runtime/clock';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { requireAccepted } from '../request/content-rules.ts';
import type { Session } from '../request/request-state.ts';
import type { CallService } from '../rpc/call-service.ts';
import type { Admission } from './admission.ts';
import { createReadQuery } from './query-parameters.ts';
import { actorIdOf, callOptions, isSessionOver, type OpenSession } from './session.ts';
import type { TeamStreams } from './team-streams.ts';

const SESSION_CHECK_INTERVAL_MS = 30_000;
/**
 * How long a stream outlives accounts: long enough for a restart, too short to keep an ended session's stream open for
 * hours.
 */
export const MAX_UNCONFIRMED_MS = 120_000;

export interface StreamDeps {
  callService: CallService;
  admission: Admission;
  openSession: OpenSession;
  teamStreams: TeamStreams;
  clock: Clock;
  sessionCheckIntervalMs?: number;
}

/**
 * `GET /admin/v1/stream` sends changes of the team's payments, deliveries, and webhook endpoints for as long as the
 * session or token is valid.
 */
export function registerStream(app: FastifyInstance, deps: StreamDeps): void {
  const { callService, admission, teamStreams } = deps;
  const readQuery = createReadQuery({ environment: Type.Optional(EnvironmentSchema) });

  async function teamOfMember(request: FastifyRequest): Promise<string> {
    const { team } = await callService(getMe, {}, callOptions(request));
    return team.id;
  }

  async function open(request: FastifyRequest): Promise<Readable> {
    const { environment: wanted } = readQuery(request.raw.url ?? '');
    const session = request.session as Session;
    const { id: sessionId, caller } = session;
    const environment = narrowEnvironment(caller, wanted) ?? null;
    const teamId = caller.type === 'token' ? caller.teamId : await teamOfMember(request);
    const frames = teamStreams.open({ sessionId, actorId: actorIdOf(session), teamId, environment });
    endWithSession(frames, request, deps);
    return frames;
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: STREAM_PATH,
    // Members who may only set up a second factor get no actor token for `getTeam`, and so no changes.
    config: { operation: 'stream', calls: [getMe, getTeam] },
    async onRequest(request, reply) {
      request.session = await admission.admit(request, reply);
      requireAccepted(request.raw, 'text/event-stream');
    },
    async handler(request, reply) {
      const frames = request.method === 'HEAD' ? undefined : await open(request);
      // Buffering proxies would delay events.
      return reply
        .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
        .send(frames);
    },
  });

  app.addHook('preClose', (done) => {
    teamStreams.close();
    done();
  });
}

function endWithSession(
  frames: Readable,
  request: FastifyRequest,
  { openSession, teamStreams, clock, sessionCheckIntervalMs = SESSION_CHECK_INTERVAL_MS }: StreamDeps,
): void {
  let confirmedAt = clock.now();

  async function check(): Promise<void> {
    try {
      // A forgotten tab must not keep its session alive.
      await openSession(request, { isUse: false });
      confirmedAt = clock.now();
    } catch (error) {
      // In either direction: a clock that was set back must not keep the stream open until it catches up.
      const unconfirmedMs = Math.abs(clock.now() - confirmedAt);
      if (isSessionOver(error) || unconfirmedMs > MAX_UNCONFIRMED_MS) teamStreams.end(frames);
    }
  }

  const checks = setInterval(check, sessionCheckIntervalMs);
  frames.on('close', () => clearInterval(checks));
}

import type { Readable } from 'node:stream';
import { STREAM_PATH } from '@tollgate/contracts/admin-api/routes';
import { EnvironmentSchema } from '@tollgate/contracts/environment';
import { Problem } from '@tollgate/contracts/problem';
import { getMe } from '@tollgate/contracts/rpc/accounts';
import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { requireAccepted } from '../request/content-rules.ts';
import type { CallService } from './call-service.ts';
import { createReadQuery } from './query-parameters.ts';
import { callOptions, type OpenSession } from './session.ts';
import type { TeamStreams } from './team-streams.ts';

const SESSION_CHECK_INTERVAL_MS = 30_000;
/**
 * How long a stream outlives accounts: long enough for a restart, too short to keep an ended session's stream open for
 * hours.
 */
export const MAX_UNCONFIRMED_MS = 120_000;

export interface StreamDeps {
  callService: CallService;
  openSession: OpenSession;
  teamStreams: TeamStreams;
  clock: Clock;
  sessionCheckIntervalMs?: number;
}

/**
 * `GET /admin/v1/stream` sends changes of the team's payments, deliveries, and webhook endpoints for as long as the
 * session is valid.
 */
export function registerStream(app: FastifyInstance, deps: StreamDeps): void {
  const { callService, openSession, teamStreams } = deps;
  const readQuery = createReadQuery({ environment: Type.Optional(EnvironmentSchema) });

  async function open(request: FastifyRequest): Promise<Readable> {
    const { environment = null } = readQuery(request.raw.url ?? '');
    const { team } = await callService(getMe, {}, callOptions(request));
    const sessionId = request.session?.id as string;
    const frames = teamStreams.open({ sessionId, teamId: team.id, environment });
    endWithSession(frames, request, deps);
    return frames;
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: STREAM_PATH,
    config: { operation: 'stream' },
    async onRequest(request) {
      request.session = await openSession(request);
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
      const isOver = error instanceof Problem && error.details.code === 'invalid-session';
      if (isOver || clock.now() - confirmedAt > MAX_UNCONFIRMED_MS) teamStreams.end(frames);
    }
  }

  const checks = setInterval(check, sessionCheckIntervalMs);
  frames.on('close', () => clearInterval(checks));
}

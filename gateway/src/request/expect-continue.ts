import type { FastifyInstance } from 'fastify';

/**
 * A client that sends `Expect: 100-continue` sends its body only when it is asked for (RFC 9110 §10.1.1). Node would ask before the first
 * hook. Here the client is asked once the request is admitted; a rejection is its only response, and closes the connection.
 */
export function deferContinue(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  app.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (raw.httpVersion === '1.1' && /\b100-continue\b/i.test(raw.headers.expect ?? ''))
      reply.raw.writeContinue();
    done(null, payload);
  });
}

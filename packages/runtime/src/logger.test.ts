import { runInTrace } from '@tollgate/tracing/current-trace';
import { newTraceContext } from '@tollgate/tracing/trace-context';
import { describe, expect, it } from 'vitest';
import { createLogger, type Logger } from './logger.ts';

/** Has the format of an API key. The tests of `security` assert that the logger redacts a generated key. */
const LOOKUP_ID = 'A'.repeat(16);
const SECRET = 'b'.repeat(38);
const CREDENTIAL = `tg_live_${LOOKUP_ID}_${SECRET}`;

function logOf(write: (logger: Logger) => void): {
  line: string;
  fields: Record<string, unknown>;
} {
  let line = '';
  write(
    createLogger({
      service: 'test',
      destination: {
        write(text: string) {
          line += text;
        },
      },
    }),
  );
  return { line, fields: JSON.parse(line) };
}

describe('log lines', () => {
  it('log lines contain allow-listed fields, and only the names of others', () => {
    const { line, fields } = logOf((logger) =>
      // @ts-expect-error: `body` is not an allowed field.
      logger.info({ request_id: 'req_1', body: { iban: 'DE89' } }, 'hello'),
    );
    expect(fields).toMatchObject({
      service: 'test',
      level: 'info',
      msg: 'hello',
      request_id: 'req_1',
      dropped: ['body'],
    });
    expect(line).not.toContain('DE89');
  });

  it('name the current trace', () => {
    const trace = newTraceContext();
    const traced = logOf((logger) => runInTrace(trace, () => logger.info('hello')));
    expect(traced.fields['trace_id']).toBe(trace.traceId);
    expect(logOf((logger) => logger.info('hello')).fields).not.toHaveProperty('trace_id');
  });

  it('log lines contain errors without credentials, passwords, or attached objects', () => {
    const error = Object.assign(new Error(`no ${CREDENTIAL} at mongodb://root:hunter2@db/x`), {
      code: 11000,
      document: { secret: 'whsec' },
    });
    const { line, fields } = logOf((logger) => logger.error({ err: error }, 'failed'));
    expect(fields['err']).toMatchObject({
      code: 11000,
      message: `no tg_live_${LOOKUP_ID}_*** at mongodb://root:***@db/x`,
    });
    for (const secret of [CREDENTIAL, 'hunter2', 'whsec']) expect(line).not.toContain(secret);
  });

  it('log lines contain thrown values that are not errors, and such causes, without credentials', () => {
    const text = `no ${CREDENTIAL} at nats://root:hunter2@bus`;
    for (const err of [text, new Error('wrapped', { cause: text })]) {
      const { line } = logOf((logger) => logger.error({ err }, 'failed'));
      expect(line).toContain('nats://root:***@bus');
      for (const secret of [CREDENTIAL, 'hunter2']) expect(line).not.toContain(secret);
    }
  });

  const TOKEN = `tg_admin_${LOOKUP_ID}_${SECRET}`;
  const header = `Authorization: Bearer ${TOKEN}`;
  const url = `https://tollgate.example/admin/v1/keys?api_token=${TOKEN}`;
  const body = JSON.stringify({ name: TOKEN });

  it.each<[string, (logger: Logger) => void]>([
    ['a field', (logger) => logger.info({ url, reason: header }, 'requested')],
    ['a nested field', (logger) => logger.info({ head: { [body]: [header] } }, 'signed')],
    ['the text of the line', (logger) => logger.info(`rejected ${url} with ${header}`)],
    ['an error', (logger) => logger.error({ err: new TypeError(`cannot parse ${body}`) }, 'failed')],
    [
      'the cause, name, or code of an error',
      (logger) => {
        const cause = Object.assign(new Error(header), { name: TOKEN, code: TOKEN });
        logger.error({ err: new Error('wrapped', { cause }) }, 'failed');
      },
    ],
    ['the fields of a child', (logger) => logger.child({ url }, { level: 'info' }).info('requested')],
  ])('log lines contain of an API token only its lookup id: %s', (_, write) => {
    const { line } = logOf(write);
    expect(line).toContain(`tg_admin_${LOOKUP_ID}_***`);
    expect(line).not.toContain(SECRET);
  });

  it.each([
    `tg_admin_${LOOKUP_ID}x_${SECRET}`,
    `tg_admin_${LOOKUP_ID.slice(1)}_${SECRET}`,
    `tg_admin_${LOOKUP_ID}${SECRET}`,
    `tg_admin_${LOOKUP_ID}__${SECRET}`,
    `tg_live_${SECRET}`,
    `tg_sandbox_${LOOKUP_ID}_${SECRET.slice(1)}`,
  ])('log lines contain no secret of a mistyped credential: %s', (mistyped) => {
    const { line } = logOf((logger) => logger.info({ reason: mistyped }, mistyped));
    expect(line).not.toMatch(/b{9}/);
  });
});

import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

/** Has the format of an API key. The tests of `security` assert that the logger redacts a generated key. */
const LOOKUP_ID = 'A'.repeat(16);
const CREDENTIAL = `tg_live_${LOOKUP_ID}_${'b'.repeat(38)}`;

function logOf(write: (logger: ReturnType<typeof createLogger>) => void): {
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
  it('contain allow-listed fields, and only the names of others', () => {
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

  it('contain errors without credentials, passwords, or attached objects', () => {
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

  it('contain thrown values that are not errors, and such causes, without credentials', () => {
    const text = `no ${CREDENTIAL} at nats://root:hunter2@bus`;
    for (const err of [text, new Error('wrapped', { cause: text })]) {
      const { line } = logOf((logger) => logger.error({ err }, 'failed'));
      expect(line).toContain('nats://root:***@bus');
      for (const secret of [CREDENTIAL, 'hunter2']) expect(line).not.toContain(secret);
    }
  });
});

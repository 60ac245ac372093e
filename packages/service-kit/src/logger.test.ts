import { describe, expect, it } from 'vitest';
import { generateApiKey } from './api-key.ts';
import { createLogger } from './logger.ts';

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
  it('hold allow-listed fields and the names, not the values, of others', () => {
    const { line, fields } = logOf((logger) =>
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

  it('show errors without credentials, passwords or attached objects', () => {
    const { credential, lookupId } = generateApiKey('live');
    const error = Object.assign(new Error(`no ${credential} at mongodb://root:hunter2@db/x`), {
      code: 11000,
      document: { secret: 'whsec' },
    });
    const { line, fields } = logOf((logger) => logger.error({ err: error }, 'failed'));
    expect(fields['err']).toMatchObject({
      code: 11000,
      message: `no tg_live_${lookupId}_*** at mongodb://root:***@db/x`,
    });
    for (const secret of [credential, 'hunter2', 'whsec']) expect(line).not.toContain(secret);
  });

  it('show what was thrown and is no error without credentials too, also as a cause', () => {
    const { credential } = generateApiKey('live');
    const text = `no ${credential} at nats://root:hunter2@bus`;
    for (const err of [text, new Error('wrapped', { cause: text })]) {
      const { line } = logOf((logger) => logger.error({ err }, 'failed'));
      expect(line).toContain('nats://root:***@bus');
      for (const secret of [credential, 'hunter2']) expect(line).not.toContain(secret);
    }
  });
});

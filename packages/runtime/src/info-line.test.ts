import { expect, it } from 'vitest';
import { writeInfoLine } from './info-line.ts';
import { createLogger } from './logger.ts';

function loggedBy(write: (logger: ReturnType<typeof createLogger>) => void, level = 'info') {
  const lines: string[] = [];
  write(createLogger({ service: 'gateway', level, destination: { write: (line) => void lines.push(line) } }));
  return lines.map((line) => line.replace(/"time":"[^"]+"/, '"time":"now"'));
}

it('a line whose fields are JSON already is the line that the logger writes', () => {
  const fields = { request_id: 'req_1', status: 200, duration_ms: 1.5 };
  expect(
    loggedBy((logger) =>
      writeInfoLine(logger, ',"request_id":"req_1","status":200,"duration_ms":1.5', 'request'),
    ),
  ).toEqual(loggedBy((logger) => logger.info(fields, 'request')));
});

it('a line whose fields are JSON already has the fields and the level of a child', () => {
  const child = (logger: ReturnType<typeof createLogger>) =>
    logger.child({ task: 'sweep' }, { level: 'info' });
  expect(loggedBy((logger) => writeInfoLine(child(logger), ',"status":200', 'request'))).toEqual(
    loggedBy((logger) => child(logger).info({ status: 200 }, 'request')),
  );
});

it('a line whose fields are JSON already is not written above its level', () => {
  expect(loggedBy((logger) => writeInfoLine(logger, ',"status":200', 'request'), 'warn')).toEqual([]);
});

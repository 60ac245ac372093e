import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs a process that starts like this, and returns its exit code and the lines that it logged. */
async function startWith(start: string): Promise<{ code: number; errors: string; lines: object[] }> {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    import { ConfigError } from ${module('./config.ts')};
    import { runComponent } from ${module('./run-process.ts')};
    await runComponent({
      name: 'test',
      configure: () => ({ drainDelayMs: 0, start: async () => { ${start} } }),
    });
    setTimeout(() => process.exit(0));`;
  return new Promise((resolve) => {
    const process_ = execFile(
      process.execPath,
      ['--input-type=module-typescript', '--eval', script],
      (_error, output, errors) => {
        const lines = output.trim().split('\n').filter(Boolean);
        resolve({ code: process_.exitCode ?? -1, errors, lines: lines.map((line) => JSON.parse(line)) });
      },
    );
  });
}

test('a process lists every wrong variable in one line of JSON, without a stack', async () => {
  const { code, errors, lines } = await startWith(
    "throw new ConfigError(['PORT must be a port.', 'NATS_URL is missing.']);",
  );
  expect({ code, errors }).toEqual({ code: 1, errors: '' });
  expect(lines).toEqual([
    {
      level: 'fatal',
      time: expect.any(String),
      service: 'test',
      msg: 'The configuration is not valid. PORT must be a port. NATS_URL is missing.',
    },
  ]);
});

test('a process logs nothing of its own while the component runs', async () => {
  expect(await startWith('')).toEqual({ code: 0, errors: '', lines: [] });
});

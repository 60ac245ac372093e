import { writeSync } from 'node:fs';
import { onStop } from '../src/graceful-stop.ts';
import { createLogger } from '../src/logger.ts';

const say = (text: string) => writeSync(1, `${text}\n`);

/** A process with one slow stop step and one that fails. With `hang`, the latter never ends. */
const [mode] = process.argv.slice(2);
const logger = createLogger({ service: 'test' });

onStop({
  logger: () => logger,
  timeoutMs: mode === 'hang' ? 200 : 10_000,
  steps: [
    { name: 'unready', run: () => say('unready') },
    {
      name: 'drain',
      async run() {
        await new Promise((resolve) => setTimeout(resolve, 50));
        say('drained');
      },
    },
    {
      name: 'flush',
      run() {
        if (mode === 'hang') return new Promise(() => undefined);
        throw new Error('nothing to flush');
      },
    },
    { name: 'close', run: () => say('closed') },
  ],
});
setInterval(() => undefined, 60_000);
say('running');
if (mode === 'crash') setImmediate(() => Promise.reject(new Error('a fatal mistake')));

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { KEPT_MEMORY_FOLDER } from './kept-memory.ts';

/**
 * Preloaded into a process whose memory is measured: SIGWINCH, which services do not handle, collects its garbage, and writes what it
 * keeps where `keptMemoryMb` reads it.
 */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const folder = process.env[KEPT_MEMORY_FOLDER];
process.on('SIGWINCH', () => {
  collect();
  if (folder) writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(process.memoryUsage()));
});

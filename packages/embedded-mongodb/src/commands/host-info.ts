import { arch, availableParallelism, hostname, type as osType, release, totalmem } from 'node:os';
import { documentOf, integer } from '../bson/document.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

const BYTES_PER_MIB = 1024 * 1024;

export const hostInfo: Command = {
  name: 'hostInfo',
  run: () =>
    ok({
      system: documentOf({
        currentTime: new Date(),
        hostname: hostname(),
        cpuAddrSize: integer(64),
        memSizeMB: integer(Math.round(totalmem() / BYTES_PER_MIB)),
        numCores: integer(availableParallelism()),
        cpuArch: arch(),
      }),
      os: documentOf({ type: osType(), name: osType(), version: release() }),
      extra: documentOf({}),
    }),
};

import { int32 } from '../bson/document.ts';
import { SERVER_VERSION, SERVER_VERSION_PARTS } from '../server-version.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

export const buildInfo: Command = {
  name: 'buildInfo',
  aliases: ['buildinfo'],
  beforeAuthentication: true,
  run: () =>
    ok({
      version: SERVER_VERSION,
      gitVersion: 'embedded-mongodb',
      modules: [],
      sysInfo: 'deprecated',
      versionArray: SERVER_VERSION_PARTS.map(int32),
      bits: int32(64),
      debug: false,
      maxBsonObjectSize: int32(MAX_BSON_OBJECT_BYTES),
      storageEngines: ['sqlite'],
    }),
};

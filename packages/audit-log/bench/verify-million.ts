/*
 * Writes an export to a file, verifies it as the command line does, and prints how long that took and how much memory.
 * Usage: node bench/verify-million.ts [records]
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { publicKeyOf } from '../src/keys.ts';
import { buildLog, exportLog, textOf } from '../test/build-export.ts';

const DEFAULT_RECORDS = 1_000_000;
const RECORDS_PER_HEAD = 1_000;
const BYTES_PER_MIB = 2 ** 20;

const count = Number(process.argv[2] ?? DEFAULT_RECORDS);

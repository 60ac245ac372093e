import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import type { Static, TSchema } from 'typebox';
import { UsageError } from './command.ts';

/** The file that describes a folder of data: what is in it, and which release wrote it. */
export const MANIFEST_FILE = 'manifest.json';

interface Versioned {
  format_version: number;
  tollgate_version: string;
}

/**
 * Reads the manifest of a folder.
 * @param what as in "a backup" @throws UsageError
 */
export async function readManifestFile<Schema extends TSchema>(
  folder: string,
  { what, schema, formatVersion }: { what: string; schema: Schema; formatVersion: number },
): Promise<Static<Schema> & Versioned> {
  const path = join(folder, MANIFEST_FILE);
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`${folder} is not ${what}: its manifest cannot be read (${error.message}).`);
  });
  const value = parseJson(text);
  const reader = openReader(schema);
  const manifest = reader.read(value) as (Static<Schema> & Versioned) | null;
  if (manifest === null) {
    throw new UsageError(`${path} is not a manifest of ${what}: ${reader.describeMismatch(value)}.`);
  }
  if (manifest.format_version > formatVersion) {
    throw new UsageError(
      `${folder} has format ${manifest.format_version}, and this release reads formats up to ${formatVersion}. ` +
        `Use Tollgate ${manifest.tollgate_version}, which created it, or a later release.`,
    );
  }
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { stat } from 'node:fs/promises';
import { readPrivateJson, writePrivateJson } from '../private-file.ts';
import type { RunningProcess } from './process-supervisor.ts';

interface ProcessRecord {
  /** The data folder that the processes use. A copy of it has the same record, and another identity. */
  folder: string;
  processes: RunningProcess[];
}

/** Records the running processes, for the next launcher if this one is killed. */
export async function recordProcesses(
  path: string,
  dataDir: string,
  processes: RunningProcess[],
): Promise<void> {
  const record: ProcessRecord = { folder: await identityOf(dataDir), processes };
  await writePrivateJson(path, record);
}

/** The processes that a killed launcher recorded for this data folder. None of those that use the original of a copy. */
export async function readRecordedProcesses(path: string, dataDir: string): Promise<RunningProcess[]> {
  const record = (await readPrivateJson(path)) as ProcessRecord | null;
  return record?.folder === (await identityOf(dataDir)) ? record.processes : [];
}

/** Device and inode: the same after a folder is renamed, and different for every other folder. */
async function identityOf(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  return `${dev}:${ino}`;
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/money';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../../sdks/python', import.meta.url));

/** Runs python3. Its standard error has the report of unittest. */
async function python(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, PYTHONPATH: `${FOLDER}/src`, PYTHONDONTWRITEBYTECODE: '1' };
  try {
    return await promisify(execFile)('python3', args, { cwd: FOLDER, env });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('Install python3, version 3.9 or later, to test the Python SDK.');
    throw error;
  }
}

describe('the Python SDK', () => {
  it('does what the shared cases say, with and without asyncio, and its README runs', async () => {
    const { stderr } = await python('-X', 'dev', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests');
    expect(stderr).toMatch(/Ran 19 tests in [\d.]+s\s+OK\s*$/);
  }, 120_000);

  it('knows the currencies of the API', async () => {
    const print =
      'import json; from tollgate.money import CURRENCY_EXPONENTS; print(json.dumps(CURRENCY_EXPONENTS))';
    const { stdout } = await python('-c', print);
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(CURRENCY_EXPONENTS));
  });
});

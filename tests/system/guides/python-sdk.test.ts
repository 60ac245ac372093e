import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CancelPaymentBody, CreatePaymentBody } from '@tollgate/contracts/payments/payment';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { expect, it, onTestFinished } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../../sdks/python', import.meta.url));
/** Another release may report other errors. */
const MYPY = 'mypy==2.4.1';
const run = promisify(execFile);

/** Runs python3. Its standard error has the report of unittest. */
async function python(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, PYTHONPATH: `${FOLDER}/src`, PYTHONDONTWRITEBYTECODE: '1' };
  try {
    return await run('python3', args, { cwd: FOLDER, env });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('Install python3, version 3.11 or later, to test the Python SDK.');
    throw error;
  }
}

it('the Python SDK does what the shared cases say, with and without asyncio, and its README runs', async () => {
  const { stderr } = await python('-X', 'dev', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests');
  expect(stderr).toMatch(/Ran 32 tests in [\d.]+s\s+OK\s*$/);
}, 120_000);

it('the Python SDK knows the currencies of the API', async () => {
  const print =
    'import json; from tollgate.money import CURRENCY_EXPONENTS; print(json.dumps(CURRENCY_EXPONENTS))';
  const { stdout } = await python('-c', print);
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(CURRENCY_EXPONENTS));
});

it('the Python SDK has the params of the API, with the same required members', async () => {
  const print = `
import json
from tollgate import CancelPaymentParams, CreatePaymentParams
params = {"create": CreatePaymentParams, "cancel": CancelPaymentParams}
print(json.dumps({name: [sorted(one.__annotations__), sorted(one.__required_keys__)] for name, one in params.items()}))`;
  const { stdout } = await python('-c', print);
  const membersOf = ({
    properties,
    required = [],
  }: {
    properties: object;
    required?: readonly string[] | undefined;
  }) => [Object.keys(properties).sort(), required.toSorted()];
  expect(JSON.parse(stdout)).toEqual({
    create: membersOf(CreatePaymentBody),
    cancel: membersOf(CancelPaymentBody),
  });
});

it('the Python SDK shows its types to mypy in an application that installs it: wrong calls are rejected', async ({
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-python-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const installed = join(folder, 'venv', 'bin', 'python');
  const install = (what: string) =>
    run(installed, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', what]);
  try {
    await python('-m', 'venv', join(folder, 'venv'));
    await install(MYPY);
  } catch (error) {
    skip(`The venv module of python3, or ${MYPY} from a package index, is missing: ${error}`);
  }
  // The build writes into the folder of the package.
  await cp(FOLDER, join(folder, 'sdk'), { recursive: true });
  await install(join(folder, 'sdk'));

  await cp(`${FOLDER}/tests/typed_caller.py`, join(folder, 'typed_caller.py'));
  const blocks = (await readFile(`${FOLDER}/README.md`, 'utf8')).matchAll(/^```python\n(.+?)^```$/gms);
  await writeFile(join(folder, 'readme.py'), [...blocks].map(([, code]) => code).join('\n'));
  const modules = ['--package', 'tollgate', '--module', 'typed_caller', '--module', 'readme'];
  const report = await run(installed, ['-m', 'mypy', '--strict', ...modules], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(report.stdout).toContain('Success: no issues found');
}, 300_000);

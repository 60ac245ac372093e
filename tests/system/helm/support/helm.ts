import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildRenderer, type RendererOptions } from './build-renderer.ts';

const run = promisify(execFile);

/** Path of a program that has `helm template`. Returns null if there is none, and none can be built. */
export async function findHelm(options: RendererOptions): Promise<string | null> {
  return (await findInstalledHelm(options.env)) ?? (await buildRenderer(options));
}

async function findInstalledHelm(env: NodeJS.ProcessEnv): Promise<string | null> {
  const helm = env['HELM'] || 'helm';
  try {
    const { stdout } = await run(helm, ['version', '--short']);
    return /^v[34]\./.test(stdout) ? helm : null;
  } catch {
    return null;
  }
}

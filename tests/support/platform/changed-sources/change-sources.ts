import { registerHooks } from 'node:module';
import { CHANGED_SOURCES_VARIABLE, type SourceChange } from './source-change.ts';

/**
 * With `node --import` of this file, a process runs unchanged except for the source texts that the variable names. A text that is
 * no longer in its file ends the process: a run that changes nothing would prove nothing.
 */
const changes = JSON.parse(process.env[CHANGED_SOURCES_VARIABLE] ?? '[]') as SourceChange[];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const changesOfFile = changes.filter(({ file }) => url.endsWith(`/${file}`));
    if (changesOfFile.length === 0) return loaded;
    const source = changesOfFile.reduce(apply, String(loaded.source));
    return { ...loaded, source };
  },
});

function apply(source: string, { file, from, to }: SourceChange): string {
  if (!source.includes(from)) throw new Error(`${file} does not contain: ${from}`);
  return source.replaceAll(from, to);
}

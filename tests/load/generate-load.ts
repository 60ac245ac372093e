import { type LoadOptions, measure } from './measure.ts';

/** Measures a target in a process of its own: options and the sample are JSON. */
const options = JSON.parse(process.argv[2] as string) as LoadOptions;
process.stdout.write(JSON.stringify(await measure(options)));

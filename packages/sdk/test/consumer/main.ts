import { journey } from './journey.js';

declare const process: { argv: string[] };
declare const console: { log(line: string): void };

console.log(JSON.stringify(await journey(JSON.parse(process.argv[2] as string))));

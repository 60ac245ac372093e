import { journey } from './journey.js';

declare const process: { argv: string[] };
declare const console: { log(line: string): void };

// Without a top-level await, which CommonJS does not have.
journey(JSON.parse(process.argv[2] as string)).then((result) => console.log(JSON.stringify(result)));

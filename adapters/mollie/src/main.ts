import { runAdapter } from '@tollgate/processor-adapter/run-adapter';
import { mollieVariables, readMollieConfig } from './config.ts';
import { createMollieAdapter } from './mollie-adapter.ts';

await runAdapter((env) => createMollieAdapter(readMollieConfig(env)), mollieVariables);

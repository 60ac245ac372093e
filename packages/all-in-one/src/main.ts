import { runProcess } from '@tollgate/runtime/run-process';
import { STAGES } from './components.ts';
import { configureStages } from './configure-stages.ts';

await runProcess('all-in-one', (env) => configureStages(STAGES, env));

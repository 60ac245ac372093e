import { runComponent } from '@tollgate/runtime/run-component';
import { allInOne } from './all-in-one.ts';
import { STAGES } from './components.ts';

await runComponent(allInOne(STAGES));

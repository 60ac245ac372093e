import { runComponent } from '@tollgate/runtime/run-process';
import { component } from './component.ts';

await runComponent(component);

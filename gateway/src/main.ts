import { runComponent } from '@tollgate/runtime/run-component';
import { component } from './component.ts';

await runComponent(component);

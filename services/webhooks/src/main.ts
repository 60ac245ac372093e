import { runService } from '@tollgate/service/run-service';
import { service } from './service.ts';

await runService(service);

/** Loaded into the worker before its `main`: says on stdout every now and then how many operations it has asked of MongoDB. A batch is one. */
import mongoose from 'mongoose';

const INTERVAL_MS = 200;
let operations = 0;

mongoose.set('debug', () => {
  operations += 1;
});
setInterval(() => process.stdout.write(`store operations: ${operations}\n`), INTERVAL_MS).unref();

/** Only this service and its commands read and write this database. */
export const DATABASE = 'tollgate_payments';

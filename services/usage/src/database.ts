/** Nobody but this service and its commands reads or writes it. */
export const DATABASE = 'tollgate_usage';

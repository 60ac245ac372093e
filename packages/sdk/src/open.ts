/** An enumeration to which later releases of Tollgate may add values. Editors still complete the known ones. */
export type Open<Known extends string> = Known | (string & {});

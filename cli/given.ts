type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Leaves out the fields that were not given, so that the server's defaults hold. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>

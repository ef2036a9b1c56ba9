type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Removes undefined fields, so that the defaults of the server apply. */
export const definedFields = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>

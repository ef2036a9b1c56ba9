/** The type of a translation: the same keys, and for each message one with the same values. */
export type Translation<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof T]: Translation<T[Key]> }

import { type TObject, type TSchema, Type } from '@sinclair/typebox'

interface Variants {
  byType: Map<string, TSchema>
  /** An object with any of the types. A value of an unknown type is checked against it for its error. */
  anyType: TObject
}

const cache = new WeakMap<TSchema, Variants | null>()

/** Returns the variants of a union of objects that differ in `type`; null for any other schema. */
const variantsOf = (schema: TSchema): Variants | null => {
  let variants = cache.get(schema)
  if (variants === undefined) {
    variants = readVariants((schema.anyOf ?? []) as TSchema[])
    cache.set(schema, variants)
  }
  return variants
}

const readVariants = (all: TSchema[]): Variants | null => {
  const named = all.flatMap((variant): [string, TSchema][] => {
    const name = variant.properties?.type?.const
    return typeof name === 'string' ? [[name, variant]] : []
  })
  if (named.length === 0 || named.length < all.length) return null
  const types = named.map(([name]) => Type.Literal(name))
  return { byType: new Map(named), anyType: Type.Object({ type: Type.Union(types) }) }
}

/** Returns the variant of a union (see `variantsOf`) that has the `type` of a value, if any. */
export const variantNamed = (schema: TSchema, value: unknown): TSchema | undefined => {
  const { type } = (value ?? {}) as { type?: unknown }
  return typeof type === 'string' ? variantsOf(schema)?.byType.get(type) : undefined
}

/**
 * Returns the schema that explains why a value does not match a union: the variant of its `type`, an
 * object with any of the types, or the schema of a nullable value.
 */
export const variantToFit = (schema: TSchema, value: unknown): TSchema | undefined =>
  variantNamed(schema, value) ?? variantsOf(schema)?.anyType ?? nullableOf(schema)

/** Returns the non-null schema of a nullable schema; undefined for any other schema. */
export const nullableOf = ({ anyOf = [] }: TSchema): TSchema | undefined => {
  const others = (anyOf as TSchema[]).filter(({ type }) => type !== 'null')
  return others.length === 1 ? others[0] : undefined
}

import { type TObject, type TSchema, Type } from '@sinclair/typebox'

interface Variants {
  byType: Map<string, TSchema>
  /** An object with any of the types: what a value of none of them fails. */
  anyType: TObject
}

const known = new WeakMap<TSchema, Variants | null>()

/** The variants of a union of objects that differ by their `type`; null for any other schema. */
const variantsOf = (schema: TSchema): Variants | null => {
  let variants = known.get(schema)
  if (variants === undefined) {
    variants = readVariants((schema.anyOf ?? []) as TSchema[])
    known.set(schema, variants)
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

/** Of a union of objects that differ by their `type`, the one that a value names; undefined if none. */
export const variantNamed = (schema: TSchema, value: unknown): TSchema | undefined => {
  const { type } = (value ?? {}) as { type?: unknown }
  return typeof type === 'string' ? variantsOf(schema)?.byType.get(type) : undefined
}

/**
 * What a value of a union has to fit: the variant that it names, or else any type at all; what is not
 * null where it may be.
 */
export const variantToFit = (schema: TSchema, value: unknown): TSchema | undefined =>
  variantNamed(schema, value) ?? variantsOf(schema)?.anyType ?? nullableOf(schema)

/** The other form of what may be null; undefined for any other schema. */
export const nullableOf = ({ anyOf = [] }: TSchema): TSchema | undefined => {
  const others = (anyOf as TSchema[]).filter(({ type }) => type !== 'null')
  return others.length === 1 ? others[0] : undefined
}

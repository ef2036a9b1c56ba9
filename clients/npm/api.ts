/**
 * The types of the API. In the package, `api.d.ts` has an interface for each group of methods, which the build
 * writes from the schemas of the contract.
 */
export type * from '../../shared/contract/index.ts'

/** The groups of methods: `svc.memories.recall(…)`. */
export type Api = object

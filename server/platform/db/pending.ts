import type postgres from 'postgres'

/** A statement of the driver, which is sent when it is awaited. */
export type Pending = ReturnType<postgres.Sql['unsafe']>

const AWAITING = new Set<unknown>(['then', 'catch', 'finally'])

/** Makes `run` send a statement, once, after methods such as `values()` have changed it. */
export const sentBy = (
  pending: Pending,
  run: (statement: Pending) => Promise<unknown>,
): Pending => {
  let running: Promise<unknown> | undefined
  const observed: Pending = new Proxy(pending, {
    get(target, property) {
      if (AWAITING.has(property)) {
        running ??= run(target)
        return Reflect.get(running, property, running).bind(running)
      }
      const value = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result = value.apply(target, args)
        return result === target ? observed : result
      }
    },
  })
  return observed
}

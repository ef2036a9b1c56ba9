import type { Models } from './types.ts'

/** The models of the current settings. A request continues with those that it began with. */
export const createLiveModels = (read: () => Models): Models => ({
  get contextTokens() {
    return read().contextTokens
  },
  get isConfigured() {
    return read().isConfigured
  },
  stream: (request, signal) => read().stream(request, signal),
  generate: (request, signal) => read().generate(request, signal),
  object: (schema, request, signal) => read().object(schema, request, signal),
  states: () => read().states(),
  check: () => read().check(),
})

import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../../shared/client.ts'

/** Client errors stay the same when repeated, so only failures of the server and network are. */
const MAX_RETRIES = 2
const isTransient = (error: Error): boolean =>
  !(error instanceof ApiFailure) || error.status === 503 || error.status === 502

export const queryClient = new QueryClient({
  defaultOptions: {
    // Calls are not held back while the browser is offline: the server may run on this device, and a
    // call that fails says so.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
    },
  },
})

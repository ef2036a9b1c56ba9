import { createContext, createElement, type ReactNode, useContext } from 'react'
import type { SvcClient } from './index.ts'

const SvcContext = createContext<SvcClient | undefined>(undefined)

export interface SvcProviderProps {
  client: SvcClient
  children?: ReactNode
}

/** Gives the hooks their client. */
export const SvcProvider = ({ client, children }: SvcProviderProps): ReactNode =>
  createElement(SvcContext.Provider, { value: client }, children)

/** @returns the client of the `SvcProvider`. @throws Error outside of one. */
export const useSvc = (): SvcClient => {
  const client = useContext(SvcContext)
  if (!client) throw new Error('useSvc and the other hooks need a SvcProvider around the component')
  return client
}

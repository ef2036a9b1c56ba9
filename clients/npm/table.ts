/** The build replaces this file with its value, so that the package contains neither schemas nor TypeBox. */
import { contract, protocols } from '../../shared/contract/index.ts'
import { encodeRows } from './encode-rows.ts'

/** All rows but those whose bodies other protocols define: these protocols have clients of their own. */
export const apiRows = [...contract, ...protocols.filter(({ protocol }) => !protocol)]

export const table: string = encodeRows(apiRows)

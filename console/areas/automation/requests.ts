/** The confirmations and topics that Home shows. */
export const MAX_SHOWN = 5
export const CONFIRMATIONS = { query: { limit: MAX_SHOWN } }

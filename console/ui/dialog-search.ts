/** A dialog that is open, so that a reload and the Back button know it. */
export interface DialogSearch {
  dialog?: 'create'
}

export const dialogSearch = ({ dialog }: Record<string, unknown>): DialogSearch =>
  dialog === 'create' ? { dialog } : {}

/** Why a user cannot be imported. */
export interface Problem {
  field?: string
  detail: string
}

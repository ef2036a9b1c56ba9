/** Labels by a value of the API, which may be one that this console does not know. */
export type Labels = Readonly<Record<string, string>>

export const labels = (byValue: Labels): Labels => byValue

/** Whether `a` comes after `b`, by the first position at which they differ. */
export const isGreater = (a: (number | string)[], b: (number | string)[]): boolean => {
  const i = a.findIndex((value, index) => value !== b[index])
  const [one, other] = [a[i], b[i]]
  return one !== undefined && other !== undefined && one > other
}

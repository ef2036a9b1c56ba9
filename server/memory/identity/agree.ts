const words = (text: string) => text.toLowerCase().split(/[\s,]+/)

/**
 * Whether two values of a key say the same, as far as both go: "Ada" is Ada Lovelace, "Lisbon" is
 * Lisbon, Portugal, and a birthday is the same with and without its year.
 */
export const agree = (key: string, one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  switch (key) {
    case 'name': {
      const known = words(long)
      return words(short).every((word) => known.includes(word))
    }
    case 'home':
    case 'hometown':
      return words(short).every((word, place) => words(long)[place] === word)
    case 'date.birthday':
    case 'date.anniversary':
      return long.endsWith(short)
    default:
      return one.toLowerCase() === other.toLowerCase()
  }
}

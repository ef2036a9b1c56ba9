/** Selects the most frequent language of the owner's memories; English before there are any. */
export const mainLanguage = (ownerId: string): string => `
  select coalesce((
    select key from memory_stats, jsonb_each_text(languages)
    where owner_id = ${ownerId} order by value::bigint desc, key limit 1
  ), 'english') as language`

/** The main language if it is among the likely ones or none is known, otherwise the likeliest. */
export const chooseLanguage = (likely: string, main: string): string =>
  `case when ${main} = any(${likely}) or cardinality(${likely}) = 0 then ${main} else (${likely})[1] end`

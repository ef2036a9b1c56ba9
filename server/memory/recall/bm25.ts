/** Saturation and length normalization of BM25 (Robertson and Zaragoza, 2009, section 3.2). */
export const K1 = 1.2
export const B = 0.75

/** The BM25 score of a term with an idf of 1, without length normalization. */
export const saturation = (frequency: number): number => ((K1 + 1) * frequency) / (frequency + K1)

const groupsOf = (list: string): Set<string>[] =>
  list
    .trim()
    .split('\n')
    .map((line) => new Set(line.trim().split(/\s*,\s*/)))

/** First names and what those who bear them are called, where that is no beginning of the name. */
const FIRST_NAMES = groupsOf(`
  andrew, andy, drew
  anthony, antony, tony
  catherine, katherine, kathryn, cathy, kathy, kate, katie, kat
  charles, charlie, charley, chuck
  edward, eddie, ed, ted, ned
  elizabeth, elisabeth, liz, lizzie, beth, betty, betsy, eliza
  francis, frank
  francisco, paco, pancho
  friedrich, fritz
  henry, harry, hank
  jacob, jake
  james, jim, jimmy, jamie
  johannes, hannes, hans
  john, jack, johnny
  josé, pepe
  joseph, joe, joey
  lawrence, laurence, larry
  margaret, maggie, meg, peggy
  martha, marty
  michael, mike, mick, mickey
  nicholas, nick
  patricia, tricia, trish, patty
  rebecca, becky
  richard, rick, dick
  robert, bob, bobby, robbie
  sarah, sally
  theodore, ted
  theresa, teresa, tess, terry
  thomas, tom, tommy
  william, will, bill, billy, willy, liam
`)

/** Towns whose names are not the same in the languages that memories are read in. */
const TOWNS = groupsOf(`
  antwerp, antwerpen, anvers, amberes
  athens, athen, athènes, atenas
  basel, bâle, basilea
  brussels, brüssel, bruxelles, bruselas
  cologne, köln, colonia
  copenhagen, kopenhagen, copenhague
  florence, florenz, florencia, firenze
  geneva, genf, genève, ginebra
  hamburg, hambourg, hamburgo
  lisbon, lissabon, lisbonne, lisboa
  london, londres
  milan, mailand, milán, milano
  moscow, moskau, moscou, moscú
  munich, münchen, múnich
  naples, neapel, nápoles, napoli
  new york, nueva york
  nuremberg, nürnberg, núremberg
  prague, prag, praga, praha
  rome, rom, roma
  seville, sevilla, séville
  the hague, den haag, la haye, la haya
  turin, turín, torino
  venice, venedig, venise, venecia, venezia
  vienna, wien, vienne, viena
  warsaw, warschau, varsovie, varsovia, warszawa
  zurich, zürich, zúrich
`)

const isIn = (groups: Set<string>[]) => (one: string, other: string) =>
  groups.some((names) => names.has(one.toLowerCase()) && names.has(other.toLowerCase()))

/** "Tom" is Thomas. */
export const isFirstNameOf = isIn(FIRST_NAMES)
/** "Lissabon" is Lisbon. */
export const isTownOf = isIn(TOWNS)

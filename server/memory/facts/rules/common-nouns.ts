import { alternatives } from '../../../../shared/text/alternatives.ts'
import { isCountry, words } from './words.ts'

/*
 * Words of statements that look like a fact and are none: "in der Nähe", "allergic to nonsense". The lists are
 * written by hand: no maintained package tells them from names. See tests/memory/fact-precision.test.ts.
 */

/** Endings of abstract nouns and of people in English, German, French and Spanish. */
const ABSTRACT = new RegExp(
  `^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|(?:${alternatives(`
      ness | ship | hood | ism | cracy | sucker | aholic | days? | shit
      heit | keit | schaft | ung | ungen | ismus | ität | erei | ereien | sucht | wisser | macher
      diskussionen | té | tés | isme | ance | erie | eries | dad | dades | ismo | eza | cracia
      cratie | kratie
    `)})$`,
  'i',
)
const FIGURES = words(`
  nonsense stupidity stupid dumb idiocy idiots fools liars lies lying people humans crowds children kids drama dramas
  work working job jobs effort meetings meeting deadlines paperwork housework homework chores cleaning cooking morning
  mornings early weekends responsibility responsibilities commitment commitments change changes criticism critique failure
  losing defeat success noise chaos stress politics politicians gossip negativity whining complaints complaining excuses
  rules orders exercise gym sports running school authority fun humor love romance marriage relationships money taxes debt
  cliches clichés jargon buzzwords hype spreadsheets powerpoint email emails phone phones talk talking conversation arguments
  sarcasm cheating hypocrisy arrogance ignorance laziness boredom waste spam marketing sales bs b.s b.s. crap fomo
  smalltalk truth facts logic reason sense planning plans surprises waiting queues traffic bureaucracy opinions advice
  dummheit dumm blödsinn quatsch unsinn schwachsinn bullshit lügen lüge lügner stress arbeit arbeiten hektik lärm drama dramen
  montage montag dienstage mittwoche donnerstage freitage samstage sonntage meetings sitzungen termine ausreden menschen
  leute politik politiker smalltalk kritik chaos druck kitsch klischees spießer chefs regeln gruppenarbeit hausarbeit
  hausaufgaben sport büro büros deadlines überstunden idioten arroganz ignoranz neid pathos
  réunion réunions bêtise bêtises travail injustice injustices lundi lundis mardis matins stress mensonge mensonges effort
  efforts bruit drame drames conneries connerie ménage bureaucratie administration paperasse sport gens cons idiots
  politique politiciens critique critiques changement changements règles ordres bavardages imbéciles devoirs
  reunión reuniones tontería tonterías trabajo trabajos mentira mentiras lunes martes madrugar compromiso compromisos
  injusticia ruido drama dramas gente estrés política políticos idiotas burocracia crítica críticas cambios cambio
  órdenes reglas deberes esfuerzo ejercicio gimnasio tonto tontos hipocresía rutina papeleo
`)

/** Whether words may name what someone is allergic to: "allergic to nonsense" is a figure of speech. */
export const isAllergen = (text: string): boolean =>
  !text.split(' ').some((word) => FIGURES.has(word.toLowerCase()) || ABSTRACT.test(word))

/** German nouns, which have a capital like names: where people live, how, and when. */
const GERMAN_NO_PLACE = words(`
  nähe umgebung umland innenstadt altstadt vorstadt großstadt kleinstadt südstadt nordstadt weststadt oststadt stadt
  city stadtmitte stadtrand zentrum peripherie pampa provinz wildnis natur stille einöde heimat fremde ferne gegend region
  siedlung straße gasse allee miete untermiete wg eigentumswohnung wohnung altbau neubau haus reihenhaus wohnheim
  studentenwohnheim heim hotel pension kaserne villa hütte jurte bude bruchbude kommune laufweite sichtweite rufweite gehweite
  hörweite reichweite elternzeit teilzeit vollzeit rente ausbildung isolation quarantäne einsamkeit frieden freiheit armut
  reichtum wohlstand angst furcht sorge hoffnung trauer liebe harmonie eintracht zwietracht sünde scheidung trennung ehe
  beziehung partnerschaft familie gemeinschaft zweisamkeit gefahr not sicherheit ungewissheit saus eile ruhe unruhe stress chaos
  gedanken träumen erinnerungen vergangenheit zukunft gegenwart blase illusion lüge parallelwelt übergangszeit etage
  dachgeschoss erdgeschoss souterrain keller dachwohnung kellerwohnung zelt wohnwagen container studio zimmer dorf
  dörfern kleinstädten kreuzberger fußnähe
`)
/** "Wohnortnähe", "Fußentfernung", "Zweckgemeinschaft", "Dreizimmerwohnung". */
const GERMAN_NO_PLACE_ENDING = new RegExp(
  `(?:${alternatives(`
      nähe | weite | entfernung | wohnung | umgebung | siedlung | beziehung | gemeinschaft | miete
      viertel | gegend | keit | heit | schaft | zeit | wohnheim | hochhaus | reihenhaus | bauernhaus
      elternhaus
    `)})$`,
  'i',
)
/** Regions, beside countries, whose name has an article: "in der Steiermark". */
const GERMAN_REGIONS = words(`
  steiermark pfalz oberpfalz eifel lausitz uckermark prignitz altmark toskana bretagne normandie provence lombardei wachau
  rhön wetterau walachei krim bukowina auvergne champagne camargue emilia-romagna extremadura algarve südsteiermark
  dominikanische kurpfalz südpfalz vorderpfalz oberlausitz niederlausitz vulkaneifel wesermarsch
`)

/** Whether words after "in" or "in der" name a place: a noun with an article mostly does not. */
export const isGermanPlace = (name: string, hasArticle: boolean): boolean => {
  const [first = ''] = name.toLowerCase().split(' ')
  if (hasArticle) return isCountry(name) || GERMAN_REGIONS.has(first)
  return isCountry(name) || !(GERMAN_NO_PLACE.has(first) || GERMAN_NO_PLACE_ENDING.test(first))
}

/** Occasions and purposes after "bei" and "für". */
const GERMAN_NO_EMPLOYER = words(`
  gelegenheit bedarf regen sonne sonnenschein kerzenschein mondschein hitze kälte nacht tag tageslicht nebel sturm gewitter
  musik lärm geld zwei drei vier frieden freunde freunden eltern kollegen kunden tieren kindern patienten familie fremden
  interesse vollmond licht kunstlicht schnee wind wetter stress zeitmangel andrang hochdruck temperaturen minusgraden
  spaß ruhm ehre essen kost lohn trinkgeld applaus zukunft umwelt natur gerechtigkeit fortschritt menschen gott nichts zwei
  problemen fragen störungen krankheit fieber festen veranstaltungen hochzeiten anfragen notfällen mir meinen uns leuten
`)
const GERMAN_NO_EMPLOYER_ENDING =
  /(?:heit|keit|ung|ungen|schaft|schein|wetter|licht|zwecke|zwecken)$/i

export const isGermanEmployer = (name: string): boolean => {
  const [first = '', ...more] = name.split(' ')
  return (
    !GERMAN_NO_EMPLOYER.has(first.toLowerCase()) &&
    (more.length > 0 || !GERMAN_NO_EMPLOYER_ENDING.test(first))
  )
}

/** Words that say what a name is: "Mein Name ist Programm", "Mon nom est Personne". */
const NO_PERSON = words(`
  programm geschichte hase schall legion gesetz pflicht omen nebensache hauptsache egal tabu rauch unwichtig verpflichtung
  mehrzahl schande segen fluch zufall geheimnis legende kult marke zahl niemand
  personne légion histoire secret mystère légende inconnu partout
  historia leyenda secreto misterio nadie legión desconocido
  legion mud nobody trouble danger history secret legend unknown unimportant
`)
export const isPersonName = (name: string): boolean =>
  !name.split(' ').some((word) => NO_PERSON.has(word.toLowerCase())) &&
  !/(?:sache|heit|keit)$/i.test(name)

/** The first or last word of a street, a building or a part of a town, in English, French and Spanish. */
const NO_TOWN = new RegExp(
  `^(?:${alternatives(`
      Calle | Avenida | Plaza | Paseo | Barrio | Piso | Casa | Rue | Avenue | Boulevard | Allée
      Quai | Impasse | Apartment | Apt | Flat | Room | Building | Block | Unit | Suite | Floor
      Dorm | Downtown | Uptown | Midtown | Suburbia | House | Limbo | Paradise | Sin | Denial
      Poverty | Colocation | Banlieue | Périphérie | Pareja | Paz
    `)})(?: |$)`,
  'u',
)
export const isTown = (name: string): boolean => !NO_TOWN.test(name)

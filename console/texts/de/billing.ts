import type { Feature, Metric } from '../../../shared/tiers.ts'
import type { billing as source } from '../billing.ts'
import { labels } from '../tools/labels.ts'
import { number, plural } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'

const METRICS: Record<Metric, string> = {
  messages: 'Nachrichten',
  urls: 'Webseiten',
  emails: 'E-Mails',
  transcriptions: 'Transkriptionen',
}
const FEATURES: Record<Feature, string> = {
  deep: 'Gründlicher Abruf',
  sage: 'Umfassender Abruf',
  webhooks: 'Webhooks',
}
/** The statuses of a subscription at Stripe. */
const STATUSES = labels({
  active: 'aktiv',
  trialing: 'Testphase',
  past_due: 'Zahlung überfällig',
  unpaid: 'nicht bezahlt',
  incomplete: 'Zahlung offen',
  incomplete_expired: 'abgelaufen',
  paused: 'angehalten',
  canceled: 'gekündigt',
})

const dollars = (usd: number, digits = 2): string =>
  number(usd, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(usd) ? 0 : 2,
    maximumFractionDigits: digits,
  })

export const billing: Translation<typeof source> = {
  title: 'Nutzung und Abrechnung',
  sections: 'Nutzung und Abrechnung',
  usage: {
    tab: 'Nutzung',
    title: 'Nutzung',
    intro: (tier) =>
      `Du hast den Tarif „${tier}“. Merken und Abrufen sind in jedem Tarif kostenlos.`,
    month: 'Dieser Monat',
    resets: (day) => `Ab ${day} wird neu gezählt.`,
    metrics: METRICS,
    ofLimit: (used, limit) => `${number(used)} von ${number(limit)}`,
    noLimit: (used) => `${number(used)}, unbegrenzt`,
    left: (remaining) => `noch ${number(remaining)}`,
    near: 'Fast aufgebraucht',
    over: 'Aufgebraucht',
    overNote: (metric) =>
      `${metric}: Dein Kontingent für diesen Monat ist aufgebraucht. Mit einem höheren Tarif oder der Abrechnung nach Verbrauch geht es sofort weiter.`,
    nearNote: (metric) => `${metric}: Dein Kontingent für diesen Monat ist fast aufgebraucht.`,
    change: 'Tarife ansehen',
    history: 'Letzte 12 Monate',
    historyEmpty: 'Hier erscheint die Nutzung früherer Monate.',
    shown: 'Angezeigt',
    asTable: 'Als Tabelle anzeigen',
    table: 'Nutzung pro Monat',
    monthColumn: 'Monat',
    spent: 'Ausgaben',
    chart: (metric) => `${metric} pro Monat in den letzten 12 Monaten`,
  },
  credits: {
    tab: 'Guthaben',
    title: 'Guthaben',
    intro: `${number(1000)} Credits entsprechen einem US-Dollar. Mit ihnen bezahlst du bei der Abrechnung nach Verbrauch. Sie verfallen nicht.`,
    balance: 'Aktuelles Guthaben',
    credits: (value) =>
      `${number(value, { maximumFractionDigits: 3 })} ${plural(value, { one: 'Credit', other: 'Credits' })}`,
    dollars,
    low: 'Du hast weniger als einen Dollar Guthaben.',
    depleted: 'Dein Guthaben ist aufgebraucht.',
    negative:
      'Eine Zahlung wurde zurückgebucht, nachdem ihre Credits verbraucht waren. Dein nächster Kauf gleicht zuerst den Fehlbetrag aus.',
    prices: 'Preise',
    each: (price) => `je ${price}`,
    buy: 'Credits kaufen',
    amount: 'Betrag in US-Dollar',
    amountNote: `1 bis ${number(10_000)} Dollar. Du bezahlst auf einer Seite von Stripe.`,
    alsoPayg: 'Auch die Abrechnung nach Verbrauch einschalten',
    payg: 'Abrechnung nach Verbrauch',
    paygOn: 'Die Abrechnung nach Verbrauch ist an: Deine Nutzung wird mit Credits bezahlt.',
    paygOff: 'Die Abrechnung nach Verbrauch ist aus: Es gelten die Kontingente deines Tarifs.',
    paygSubscribed: 'Dein Abo hat Vorrang. Solange es aktiv ist, werden keine Credits verbraucht.',
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    turnedOn: 'Die Abrechnung nach Verbrauch ist an',
    turnedOff: 'Die Abrechnung nach Verbrauch ist aus',
    needCredits: 'Für die Abrechnung nach Verbrauch brauchst du Credits. Kaufe zuerst welche.',
    needCreditsNoPayments:
      'Für die Abrechnung nach Verbrauch brauchst du Credits, aber dieser Server nimmt keine Zahlungen an.',
    cap: 'Ausgabenobergrenze',
    capNote:
      'So viel darf die Abrechnung nach Verbrauch in einem Kalendermonat höchstens kosten. Danach werden Anfragen abgelehnt.',
    capIs: (spent, cap) => `${dollars(spent, 6)} von ${dollars(cap, 6)} in diesem Monat ausgegeben`,
    noCap: (spent) => `Keine Obergrenze. In diesem Monat ${dollars(spent, 6)} ausgegeben.`,
    capAmount: 'Obergrenze in US-Dollar pro Monat',
    setCap: 'Obergrenze festlegen',
    removeCap: 'Obergrenze entfernen',
    capSet: (cap) => `Die Obergrenze liegt jetzt bei ${dollars(cap, 6)} pro Monat`,
    capRemoved: 'Obergrenze entfernt',
    capReached:
      'Die Obergrenze ist erreicht. Anfragen werden bis zum nächsten Monat abgelehnt, oder bis du sie erhöhst.',
    notAmount: 'Gib einen Betrag in Dollar ein, etwa 10.50.',
    history: 'Verlauf',
    eventList: 'Käufe und Erstattungen',
    historyEmpty: 'Hier erscheinen Käufe und Erstattungen von Credits.',
    when: 'Zeit',
    event: 'Ereignis',
    change: 'Credits',
    payment: 'Zahlung',
    events: labels({
      'credits.bought': 'Gekauft',
      'credits.reversed': 'Zurückgebucht',
      'credits.restored': 'Wieder gutgeschrieben',
    }),
    reasons: labels({ purchase: '', refund: 'Erstattung', dispute: 'Zahlungsanfechtung' }),
  },
  tiers: {
    tab: 'Tarife',
    title: 'Tarife',
    intro: 'Alle Zahlen gelten pro Kalendermonat. Ein Wechsel gilt sofort.',
    current: 'Dein Tarif',
    free: 'Kostenlos',
    aMonth: (usd) => `${dollars(usd)} pro Monat`,
    byUsage: 'Nach Verbrauch, mit Credits',
    unlimited: 'Unbegrenzt',
    seats: 'Plätze',
    seatsNote: 'Mitglieder einer Organisation, deren Inhaber du bist',
    features: FEATURES,
    included: 'Enthalten',
    notIncluded: 'Nicht enthalten',
    choose: (tier) => `${tier} abonnieren`,
    usePayg: 'Credits kaufen',
    manage: 'Abo verwalten',
    subscription: 'Abo',
    status: (tier, status) => `${tier}, ${STATUSES[status] ?? status.replaceAll('_', ' ')}`,
    renews: (day) => `Verlängert sich am ${day}.`,
    ends: (day) => `Endet am ${day}.`,
    pastDue:
      'Die letzte Zahlung ist fehlgeschlagen. Aktualisiere die Zahlungsmethode unter „Abo verwalten“.',
    alreadyPaid: 'So lässt sich dein Tarif nicht ändern. Verwalte dein Abo oder frag einen Admin.',
    nothingPaid: 'Du hast noch kein Abo, das du verwalten kannst.',
    noPayments:
      'Dieser Server nimmt keine Zahlungen an, weil Stripe nicht eingerichtet ist. Die Tarife der Benutzer legt ein Admin fest.',
    askAdmin: 'Wende dich für einen anderen Tarif an einen Admin dieses Servers.',
    adminNote:
      'Als Admin kannst du hier deinen eigenen Tarif festlegen, den anderer Benutzer unter „Admin“.',
    users: 'Benutzer verwalten',
    ownTier: 'Dein Tarif',
    noGrant: 'Standard dieses Servers',
    set: 'Tarif festlegen',
    wasSet: (tier) => `Dein Tarif ist jetzt „${tier}“`,
  },
  paid: 'Danke! Deine Zahlung wird gleich wirksam.',
  paidLate:
    'Falls sich Tarif und Guthaben nicht geändert haben, hat Stripe die Zahlung noch nicht gemeldet. Das kann einige Minuten dauern.',
  checkPayment: 'Erneut prüfen',
}

import type { graph as source } from '../graph.ts'
import { count, number } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'
import { memoriesOf } from './counts.ts'

const linksOf = (links: number): string =>
  count(links, { one: 'Verbindung', other: 'Verbindungen' })

export const graph: Translation<typeof source> = {
  title: 'Graph',
  intro: (shown, total, links) => `${number(shown)} von ${memoriesOf(total)} mit ${linksOf(links)}`,
  empty: 'Noch keine Erinnerungen zum Zeichnen',
  emptyNote:
    'Der Graph verbindet Erinnerungen, die zum selben Thread gehören, seltene Wörter teilen oder aufeinander verweisen.',
  addMemory: 'Erinnerung hinzufügen',
  connect: 'Programm verbinden',
  preparing: 'Die Verbindungen neuer Erinnerungen werden noch berechnet.',
  refresh: 'Aktualisieren',
  views: 'Ansicht',
  asDrawing: 'Zeichnung',
  asList: 'Liste',
  search: 'Erinnerung suchen',
  searchHint: 'Wörter einer Erinnerung',
  noMatch: 'Keine Erinnerung in diesem Graphen enthält diese Wörter.',
  filters: 'Filter',
  size: 'Erinnerungen',
  sizeOption: (size) => `Bis zu ${number(size)}`,
  links: 'Verbindungen',
  kinds: {
    thread: 'Gleicher Thread',
    words: 'Gemeinsame seltene Wörter',
    explicit: 'Vom Autor gesetzt',
    supersedes: 'Ersetzt',
  },
  time: 'Zeit',
  timeFrom: 'Von',
  timeTo: 'Bis',
  drawing: 'Zeichnung des Graphen der Erinnerungen',
  keys: 'Pfeiltasten verschieben die Zeichnung, + und − zoomen, 0 zeigt alles.',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  reset: 'Alles zeigen',
  arranging: 'Graph wird angeordnet…',
  noWebGl:
    'Dieser Browser kann den Graphen nicht zeichnen, weil WebGL ausgeschaltet ist oder fehlt. Die Liste zeigt dieselben Erinnerungen.',
  noWorker: 'Die Zeichnung konnte nicht berechnet werden. Die Liste zeigt dieselben Erinnerungen.',
  bridges: 'Brücken',
  bridgesNote:
    'Diese Erinnerungen verbinden andere, die sonst weit auseinander lägen. In der Zeichnung haben sie einen Ring.',
  noBridges: 'Noch verbindet keine Erinnerung getrennte Gruppen.',
  clusters: 'Gruppen',
  clustersNote: 'Erinnerungen mit vielen Verbindungen untereinander.',
  cluster: (position) => `Gruppe ${position}`,
  clusterSize: memoriesOf,
  otherClusters: (clusters) =>
    count(clusters, { one: 'kleinere Gruppe', other: 'kleinere Gruppen' }),
  selected: 'Ausgewählte Erinnerung',
  unselect: 'Schließen',
  open: 'Erinnerung öffnen',
  betweenness: 'Brückenwert',
  share: (value) => number(value, { style: 'percent', maximumFractionDigits: 1 }),
  thread: 'Thread',
  when: 'Zeit',
  neighbors: linksOf,
  isolated: 'Diese Erinnerung hat keine Verbindungen.',
  notInGraph: 'Diese Erinnerung gehört nicht zu denen, die der Graph zeigt.',
  list: 'Erinnerungen des Graphen',
  memory: 'Erinnerung',
  linkCount: 'Verbindungen',
  clusterColumn: 'Gruppe',
  bridge: 'Brücke',
  nothingShown: 'Keine Erinnerung liegt in diesem Zeitraum.',
  showAll: 'Alle Zeiten anzeigen',
}

import { alternatives } from '../../../shared/text/alternatives.ts'
import { countFirstPersons, wholeWords } from '../text/standing.ts'
import { isAboutConversation } from './asked-authors.ts'

/** Asks for help, advice or a piece of work: in English, German, Spanish and French. */
const REQUEST = wholeWords(
  alternatives(`
      suggest | suggestions? | recommend | recommendations? | advi[cs]e | should | could you
      would you | can you | help me | how (?:do|can|would|could) (?:i|we|you)
      (?:can|could|where can|where could) (?:i|we) | ideas? | tips? | best way | ways to | please
      what are (?:some|the (?:best|different|most)) | let['’]?s
    `),
  alternatives(`
      empfiehl\\p{L}* | empfehl\\p{L}* | schlag(?:e|t)? | vorschl\\p{L}*
      soll(?:te|ten)? (?:ich|wir) | (?:kannst|könntest|würdest) du | hilf
      wie (?:kann|mache|soll|könnte) (?:ich|man|wir) | kann ich | ideen? | tipps? | bitte
    `),
  alternatives(`
      recomi[eé]nda\\p{L}* | recomendar\\p{L}* | sugi[eé]re\\p{L}* | sugerencias? | aconséja\\p{L}*
      debería | deberíamos | puedes | podrías | ayúda\\p{L}* | cómo puedo | cómo hago | puedo
      ideas? | consejos? | por favor
    `),
  alternatives(`
      recommande\\p{L}* | suggère\\p{L}* | suggestions? | conseil\\p{L}* | devrais | devrions
      peux-tu | pourrais-tu | pouvez-vous | pourriez-vous | aide-moi | comment (?:puis-je|faire)
      puis-je | idées? | s['’]il (?:te|vous) plaît
    `),
)
/** Chinese and Japanese. */
const UNSPACED_REQUEST =
  /推荐|推薦|建议|建議|应该|應該|怎么|怎麼|如何|帮我|幫我|请|請|可以|おすすめ|お勧め|提案|べき|どうすれば|ください|教えて|手伝/u

/** Asks for what memories record: what happened, how often, when, or to whom. */
const EVENT = wholeWords(
  alternatives(`
      did | was | were | had | has | have (?:i|we|you|they) | how (?:many|much|long|often|old)
      when | who | whose | whom | does
    `),
  alternatives(`
      (?:war|hat) (?:ich|er|sie|es|das|der|die|mein\\p{L}*) | waren | hatte | hatten | habe ich
      wurde | wann | wer | wem | wessen | wie (?:viele?|oft|lange|alt|heißt) | wo (?:liegt|war)
    `),
  'fue|fueron|había|cuándo|quién|quiénes|de quién|cuánt[oa]s?',
  'était|étaient|avait|a-t-il|a-t-elle|ai-je|quand|qui|à qui|combien',
)
const UNSPACED_EVENT =
  /什么时候|什麼時候|多少|几个|幾個|谁|誰|了吗|了嗎|いつ|だれ|いくつ|何人|ました|でした/u
/** Asks for a property of the user or of a thing. */
const PROPERTY = wholeWords(
  '(?:do|am|are) (?:i|we)|(?:is|are) (?:my|our)|(?:what|where|why|which(?: \\p{L}{1,20})?) (?:is|does|must)',
  'wo (?:ist|wohnt|wohne)|was ist|mag ich',
  'dónde (?:está|vive|vivo)|cuál es|qué es',
  "où (?:est|habite|vit)|quel(?:le)? est|c['’]est quoi",
)
const UNSPACED_PROPERTY = /哪里住|叫什么/u

/** Asks for something that was said in a conversation. */
const SAID = wholeWords(
  'order in which|across (?:my|our)|throughout (?:my|our)|did (?:i|we)|(?:i|we) (?:brought up|mentioned|said|told|discussed)|(?:did|have) i mention',
)

/** Fewer words without a question mark are searched for: they ask for what memories record, too. */
const MIN_WORDS = 4

const isSentence = (text: string): boolean =>
  /[?？]/.test(text) || text.trim().split(/\s+/, MIN_WORDS).length === MIN_WORDS

const asksForRequest = (question: string): boolean =>
  REQUEST.test(question) || UNSPACED_REQUEST.test(question)

const asksForEvent = (question: string): boolean =>
  EVENT.test(question) || UNSPACED_EVENT.test(question)

/**
 * How the user's preferences and instructions bear on a question: on one for help, advice or work they guide the
 * answer, and on one about what holds for the user they may be the answer. Undefined for one for what happened.
 */
export const readGuidance = (question: string): 'advice' | 'self' | undefined => {
  if (isAboutConversation(question) || SAID.test(question)) return undefined
  if (asksForRequest(question)) return 'advice'
  if (!isSentence(question) || asksForEvent(question)) return undefined
  if (!PROPERTY.test(question) && !UNSPACED_PROPERTY.test(question)) return 'advice'
  return countFirstPersons(question) > 0 ? 'self' : undefined
}

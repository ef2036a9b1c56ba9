/** How a language with spaces asks: alternatives of regular expressions. */
interface RequestWords {
  /** Words that begin a question. */
  question: string
  /** Words before the verb of a polite request. */
  polite: string
  /** Verbs that ask for an answer only, however long their object is. */
  answer: string
  /** Beginnings of verbs that introduce a fact or a preference: the text after them is worth remembering. */
  keep: string
  /** Words before a clause that states a fact beside the request. */
  reason: string
  /** Words after a comma that begin such a clause. */
  own: string
}

export const requestWords: RequestWords[] = [
  {
    question: `what|who|whose|whom|where|which|why|how|tell me|show me|(?:can|could|would|do) you|please`,
    polite: `please|kindly|(?:can|could|would|will) you`,
    answer: `summari[sz]e|sum up|explain|describe|translate|define|compare|recap|paraphrase|rephrase|rewrite|proofread|recommend|suggest|calculate|brainstorm|(?:tell|show|give|help|find) me|(?:list|find|outline) (?:all|every|everything|my|our|the|what|some|me)|(?:write|draft|create|make|generate)(?: me)? (?:a|an|some|the)`,
    keep: `remember|remind|note|keep|save|store|record|bear|know|call me|don['’]t|do not|never|always|be|use|answer|speak|consider`,
    reason: `because|since|so that`,
    own: `i|we|my|our`,
  },
  {
    question: `wer|wen|wem|wessen|wo|wohin|woher|wann|warum|wieso|weshalb|wie|welche[mnrs]?`,
    polite: `bitte|(?:kannst|könntest|würdest) du|(?:können|könnten|würden) sie`,
    answer: `(?:fasse?|erkläre?|beschreibe?|übersetze?|definiere?|vergleiche?|formuliere|berechne)(?:n sie)?|empfiehl|empfehlen sie|(?:sage?|zeige?|gib|nenne?|erzähle?|hilf|schlage?|liste)(?:n sie)? (?:mir|uns|alle)|schreibe? (?:mir )?ein(?:e|en)?`,
    keep: `merk|erinner|notier|vergiss|denk|behalt|speicher|nenne? mich|nicht|nie|immer|sei|antworte|verwende|benutze|sprich`,
    reason: `weil|damit|da ich`,
    own: `ich|wir|meine?`,
  },
  {
    question: `qué|quién(?:es)?|a?dónde|cuándo|cómo|por qué|cuál(?:es)?|cuánt[oa]s?`,
    polite: `por favor|puedes?|podrías?`,
    answer: `(?:resum[ae]|expli(?:ca|que)|descri(?:be|ba)|tradu(?:ce|zca)|defin[ae]|enumer[ae]|compar[ae]|recomiend[ae]|sugier[ae]|calcul[ae])|(?:resumir|explicar|describir|traducir|definir|enumerar|comparar|recomendar|sugerir|calcular)(?:me|nos)?|(?:resúme|explíca|descríbe|tradúce|recomiénda|sugiére|di|da|muéstra|cuénta|ayúda|escríbe|haz)(?:me|nos)|(?:escrib[ae]|haz) una?`,
    keep: `recuerd|recuérd|recordar|anot|guard|apunt|ten en|no\\b|nunca|siempre|llámame|usa|responde|habla`,
    reason: `porque|ya que|para que`,
    own: `mi|soy|tengo|vivo`,
  },
  {
    question: `où|qui|quand|comment|pourquoi|quel(?:le)?s?|combien|est-ce que?|qu['’]est-ce que?`,
    polite: `s['’]il (?:te|vous) pla[iî]t|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|merci de|veuillez`,
    answer: `(?:résume|explique|compare|recommande|propose|calcule)[rz]?(?:-moi|-nous)?|(?:décri(?:s|vez|re)|tradui(?:s|sez|re)|défini(?:s|ssez|r)|énum(?:ère|érez|érer)|sugg(?:ère|érez|érer))(?:-moi|-nous)?|(?:dis|dites|montrez?|donnez?|racontez?|aidez?|écri(?:s|vez))-(?:moi|nous)|(?:écri(?:s|vez|re)|rédige[rz]?) une?`,
    keep: `souven|souvien|retien|reten|note|rappel|n['’]oubli|gard|enregistr|mémoris|appelle|ne\\b|utilis|répon|parle`,
    reason: `parce que?|puisque?|afin|car`,
    own: `je|mon|ma|mes|nous`,
  },
]

/** Chinese: the verb is at the beginning. Japanese: at the end. */
export const CHINESE_REQUEST =
  /^(?:请|請|麻烦|麻煩|你|帮我|幫我|给我|給我|能不能|可以)*(?:总结|總結|概括|解释|解釋|说明|說明|翻译|翻譯|列出|列举|列舉|告诉我|告訴我|描述|比较|比較|推荐|推薦|介绍|介紹|写一|寫一)/
export const JAPANESE_REQUEST =
  /(?:要約し|説明し|翻訳し|比較し|列挙し|紹介し|提案し|まとめ|教え|書い|作っ)て(?:ください|下さい|くれ|くれる|もらえる|ほしい|ね)?[。．！!\s]*$/

import { alternatives } from '../../../../../shared/text/alternatives.ts'
import { type Form, form, type Grammar, LATIN_NAME, preference } from './grammar.ts'

const CLAUSE_STOP = '(?=$|[，。；！,.;!])'
const NOW = '(?:现在|現在|目前|如今|一直)?'
const VERY = '(?:很|非常|最|特别|特別|真的|也|一直)?'

/** Pronouns and particles: the words do not name a place or a thing by themselves. */
const VAGUE = /[你您他她它我这這那哪谁誰的了过過吗嗎]|们|們|什么|什麼|怎么|怎麼|自己|大家/u
/** A part of a house or its neighborhood, and not a town. */
const NO_TOWN = new RegExp(
  `${alternatives(`
      [里裡楼樓層层号號家旁侧側]$ | [海河湖江路街水身东東西南北外山溪田林桥橋站][边邊]$ | (?:郊|市|山|校|小|社|城|老城|景|农村|厂|园|工业|住宅|生活)[区區]$
      附近 | 旁边 | 旁邊 | 对面 | 對面 | 隔壁 | 中心$ | 公寓 | 房子 | 宿舍 | 酒店 | 宾馆 | 旅馆 | 民宿 | 地下室 | 帐篷 | [乡鄉]下
      [农農]村 | ^[大小]?城市$ | 乡村 | 一带 | 一帶 | 路口 | 国外 | 國外 | 国内 | 國內 | 海外 | 外地 | 异乡 | 異鄉 | 老家 | 学校 | 學校
      公司 | 医院 | 医院 | 工地 | 单位 | 單位 | 隔离 | 恐惧 | 恐懼 | 幸福 | 痛苦 | 阴影 | 陰影 | 孤独 | 孤獨 | 世界 | 时代 | 時代
    `)}`,
  'u',
)
/** "I asked Ming to come" begins like "I am called Ming". */
const NO_NAME = new RegExp(
  `${alternatives(`
      [来來去]$ | 帮 | 幫
      ^(?:外卖|外賣|快递|快遞|出租车|出租車|专车|网约车|救护车|救護車|车|車|朋友|同事|服务员|服務員|老师|老師|医生|醫生|警察|保安|客服|妈妈|媽媽|爸爸|保姆)
      秘密 | 普通 | 常见 | 常見 | 特别 | 特別 | 好听 | 好聽 | 随便 | 隨便 | ^(?:假|谜|謎|传奇|传说|什么)
    `)}`,
  'u',
)
/** A kind of employer names none: "一家医院", "大公司". */
const NO_EMPLOYER = new RegExp(
  `^(?:${alternatives(`
      [一两兩几幾某][家所间間个個]? | 大 | 小 | 外资 | 外資 | 国有 | 國有 | 国企 | 私人 | 民营 | 民營 | 当地 | 當地 | 本地 | 附近 | 同一家?
      另一家? | 外国 | 外國 | 跨国 | 跨國 | 互联网 | 上市 | 创业 | 創業 | 科技 | 贸易 | 软件 | 广告
    `)})(?:公司|集团|集團|银行|銀行|大学|大學|学院|學院|医院|醫院|学校|學校|研究所|研究院|事务所|事務所|出版社)$|^[一两兩几幾某]`,
  'u',
)

const unless =
  (doubt: RegExp, read: Form['read']): Form['read'] =>
  (value, speaker) =>
    VAGUE.test(value) || doubt.test(value) ? [] : read(value, speaker)

const asName = unless(NO_NAME, (value) => [{ kind: 'name', key: 'name', value }])
const asHome = unless(NO_TOWN, (value) => [{ kind: 'home', key: 'home', value }])
const asEmployer = unless(NO_EMPLOYER, (value) => [{ kind: 'work', key: 'work.employer', value }])
const asTitle = unless(/^$/, (value) => [{ kind: 'work', key: 'work.title', value }])
const asPreference = (polarity: 'like' | 'dislike') =>
  unless(/^$/, (value) =>
    value
      .split(/[和跟、]/u)
      .filter(Boolean)
      .map((item) => preference(polarity, item)),
  )

const PERSON = String.raw`(?<value>[\p{Script=Han}·]{2,8}|${LATIN_NAME})${CLAUSE_STOP}`
const HOME = String.raw`(?<value>\p{Script=Han}{2,10}|${LATIN_NAME})${CLAUSE_STOP}`
/** A place where people work is an employer only by its last word: "我在北京工作" names none. */
const EMPLOYER = String.raw`(?<value>[\p{Script=Han}\p{L}\d]{1,12}(?:公司|集团|集團|银行|銀行|大学|大學|学院|學院|医院|醫院|学校|學校|研究所|研究院|事务所|事務所|出版社)|${LATIN_NAME})`
const JOB = String.raw`(?<value>\p{Script=Han}{0,8}(?:师|師|员|員|医生|醫生|护士|護士|教授|经理|經理|警察|司机|司機|作家|记者|記者|会计|會計))${CLAUSE_STOP}`
const OBJECT = String.raw`(?<value>[\p{Script=Han}\p{L}、]{1,12})${CLAUSE_STOP}`

export const chinese: Grammar = {
  speaks: /我/,
  doubt:
    /[?？「『《]|吗|嗎|呢|如果|要是|假如|可能|也许|也許|想|希望|以前|曾|不再|没|沒|别|不(?!喜)|打算|准备|準備|将|將|听说|聽說|说|說|梦|夢|觉得|覺得/u,
  joint: /[，,；;] ?(?:而且|并且|並且|但是|可是|但|所以|因为|因為)?/,
  lead: /^(?:(?:你好|您好|大家好|嗨|对了|對了|其实|其實|顺便说一下|順便說一下)[，,！!。\s]*)+/u,
  forms: [
    form(`我的?名字(?:是|叫) ?${PERSON}`, asName),
    form(`我叫 ?${PERSON}`, asName),
    form(`我${NOW}(?:住在|居住在|生活在|住) ?${HOME}`, asHome),
    form(`我(?:已经|已經|刚刚?|剛剛?|最近)?搬(?:到|去|家到)了? ?${HOME}`, asHome),
    form(`我${NOW}在 ?${EMPLOYER} ?(?:工作|上班|任职|任職)`, asEmployer),
    form(`我是一?(?:名|个|個|位)${JOB}`, asTitle),
    form(`我的(?:职业|職業|工作)是(?:一(?:名|个|個|位))?${JOB}`, asTitle),
    form(`我${VERY}(?:喜欢|喜歡|热爱|熱愛|爱|愛) ?${OBJECT}`, asPreference('like')),
    form(`我${VERY}(?:不喜欢|不喜歡|讨厌|討厭) ?${OBJECT}`, asPreference('dislike')),
  ],
}

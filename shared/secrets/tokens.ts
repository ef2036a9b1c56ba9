/*
 * Credentials that are known by their form alone, wherever they stand. They are added to those of the detector:
 * it does not know these, or only with their exact length.
 */

export interface TokenRule {
  kind: string
  /** Its first group stays, its second one is the credential. */
  pattern: RegExp
}

/** The beginnings of credentials, and the least length after them: services have made them longer. */
const PREFIXES: readonly (readonly [kind: string, minLength: number, prefixes: string])[] = [
  ['svc key', 24, 'svc_'],
  ['GitHub token', 30, 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_'],
  [
    'GitLab token',
    20,
    'glpat- gldt- glrt- glcbt- glptt- glsoat- glagent- gloas- glffct- glimt- glft-',
  ],
  ['Anthropic key', 24, 'sk-ant-'],
  ['OpenAI key', 24, 'sk-proj- sk-svcacct- sk-admin-'],
  ['API key', 24, 'sk-'],
  ['Stripe key', 16, 'sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ whsec_'],
  ['Google key', 35, 'AIza'],
  ['Google token', 20, 'ya29. 1//0 GOCSPX-'],
  ['DigitalOcean token', 64, 'dop_v1_ dor_v1_ doo_v1_'],
  ['Vault token', 20, 'hvs. hvb. hvr.'],
  ['xAI key', 40, 'xai-'],
  ['PyPI token', 40, 'pypi-'],
  ['npm token', 36, 'npm_'],
  ['age key', 50, 'AGE-SECRET-KEY-1'],
  ['Notion token', 40, 'ntn_ secret_'],
  ['Supabase key', 20, 'sbp_ sb_secret_'],
  ['Atlassian token', 60, 'ATATT3 ATCTT3'],
  ['Atlassian token', 24, 'ATBB'],
  ['Mollie key', 30, 'live_ test_ access_'],
  ['Shopify token', 32, 'shpat_ shpca_ shppa_ shpss_ shpua_'],
  ['Linear key', 32, 'lin_api_ lin_oauth_'],
  ['Hugging Face token', 30, 'hf_ api_org_'],
  ['Slack token', 16, 'xoxb- xoxp- xoxa- xoxe- xoxo- xoxr- xoxs- xapp- xoxe.xoxb- xoxe.xoxp-'],
  ['Vercel token', 24, 'vca_ vcp_ vck_ vcr_ vci_'],
  ['Cloudflare token', 30, 'cfut_ cfat_ cfk_ v1.0-'],
  ['Heroku key', 30, 'HRKU-'],
  ['Mailgun key', 32, 'key-'],
  ['Sentry token', 30, 'sntrys_ sntryu_'],
  ['New Relic key', 16, 'NRAK- NRJS- NRII- NRRA-'],
  ['PlanetScale token', 32, 'pscale_tkn_ pscale_pw_ pscale_oauth_'],
  ['Doppler token', 40, 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.'],
  ['Pulumi token', 40, 'pul-'],
  ['Fly token', 40, 'fm1_ fm2_ fm1r_ fm2r_ fm1a_ fm2a_'],
  ['Netlify token', 30, 'nfp_'],
  ['Render key', 24, 'rnd_'],
  ['HubSpot token', 32, 'pat-na1- pat-na2- pat-eu1-'],
  ['Dropbox token', 60, 'sl.'],
  ['Square token', 22, 'sq0atp- sq0csp- sq0idp- EAAA'],
  ['Facebook token', 60, 'EAA'],
  ['SendGrid key', 32, 'SG.'],
  ['Brevo key', 64, 'xkeysib- xsmtpsib-'],
  ['Resend key', 28, 're_'],
  ['Replicate token', 30, 'r8_'],
  ['Groq key', 40, 'gsk_'],
  ['Perplexity key', 40, 'pplx-'],
  ['Pinecone key', 40, 'pcsk_'],
  ['LangSmith key', 32, 'lsv2_pt_ lsv2_sk_'],
  ['Postman key', 40, 'PMAK-'],
  ['Grafana token', 32, 'glsa_ glc_'],
  ['Databricks token', 32, 'dapi'],
  ['Dynatrace token', 60, 'dt0c01. dt0s01.'],
  ['CircleCI token', 30, 'CCIPAT_ CCIPRJ_'],
  ['Buildkite token', 40, 'bkua_'],
  ['RubyGems key', 48, 'rubygems_'],
  ['NuGet key', 43, 'oy2'],
  ['Docker token', 24, 'dckr_pat_ dckr_oat_'],
  ['Artifactory key', 60, 'AKCp'],
  ['SonarQube token', 40, 'sqp_ squ_ sqa_'],
  ['Contentful token', 40, 'CFPAT-'],
  ['Figma token', 36, 'figd_ figo_ figu_ figr_'],
  ['Typeform token', 40, 'tfp_'],
  ['Tailscale key', 20, 'tskey-'],
  ['1Password token', 100, 'ops_eyJ'],
  ['Alibaba key', 16, 'LTAI'],
  ['Plaid token', 36, 'access-sandbox- access-development- access-production-'],
  ['Razorpay key', 14, 'rzp_live_ rzp_test_'],
  ['Flutterwave key', 30, 'FLWSECK- FLWSECK_TEST-'],
  ['extended private key', 100, 'xprv yprv zprv'],
]

interface Prefix {
  kind: string
  prefix: string
  minLength: number
}

/** By their first character; a longer beginning comes first. */
const prefixes = Map.groupBy(
  PREFIXES.flatMap(([kind, minLength, list]): Prefix[] =>
    list.split(' ').map((prefix) => ({ kind, prefix, minLength })),
  ).sort((a, b) => b.prefix.length - a.prefix.length),
  ({ prefix }) => prefix.charAt(0),
)

/** Credentials that are known by the form of the whole word. */
const WORDS: readonly (readonly [kind: string, form: RegExp])[] = [
  ['JWT', /^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}$/],
  ['Discord token', /^[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,50}$/],
  ['Twilio key', /^SK[a-f0-9]{32}$/],
  ['Mailchimp key', /^[a-f0-9]{32}-us\d\d?$/],
  ['Airtable token', /^pat[A-Za-z0-9]{14}\.[a-f0-9]{64}$/],
  ['Terraform token', /^[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,100}$/],
  ['crates.io token', /^cio[A-Za-z0-9]{32}$/],
  ['Azure secret', /^[\w~.]{3}\dQ~[\w~.-]{31,40}$/],
]
const MIN_WORD = 18
const MAX_WORD = 4_000

/** A word of the characters of tokens. A sign before it belongs to the text around it. */
const WORD = /[\w][\w.~+/=%-]*/g

/** Replaces the tokens of services. @param markOf the mark of a kind. */
export const redactWords = (text: string, markOf: (kind: string) => string): string =>
  text.replace(WORD, (word) => {
    if (word.length < MIN_WORD) return word
    // `TOKEN=ghp_…` is one word.
    const start = word.slice(0, -2).lastIndexOf('=') + 1
    const end = endOf(word)
    const token = word.slice(start, end)
    const kind = /\d/.test(token) ? kindOf(token) : undefined
    return kind ? word.slice(0, start) + markOf(kind) + word.slice(end) : word
  })

/** Without the signs of a sentence or an address after it. */
const endOf = (word: string): number => {
  let end = word.length
  while ('.%~'.includes(word.charAt(end - 1)) && end > 0) end -= 1
  return end
}

const kindOf = (token: string): string | undefined =>
  prefixes
    .get(token.charAt(0))
    ?.find(
      ({ prefix, minLength }) =>
        token.startsWith(prefix) &&
        token.length >= prefix.length + minLength &&
        !/[\s/%]/.test(token.slice(prefix.length, prefix.length + minLength)),
    )?.kind ??
  (token.length < MAX_WORD ? WORDS.find(([, form]) => form.test(token))?.[0] : undefined)

/** Credentials with words around them. */
export const TOKEN_RULES: readonly TokenRule[] = [
  { kind: 'AWS key', pattern: /(\b)((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b/g },
  { kind: 'Azure key', pattern: /(\b(?:Account|SharedAccess)Key=)([A-Za-z0-9+/]{40,}={0,2})/g },
  { kind: 'Telegram token', pattern: /(?<![\w:])()(\d{8,10}:[\w-]{35})(?![\w-])/g },
  { kind: 'npm token', pattern: /(_auth(?:Token)?=)([^\s$"']{8,})/g },
  { kind: 'bearer token', pattern: /(\bbearer )([\w.~+/=-]{16,})/gi },
  {
    kind: 'basic credentials',
    pattern: /(\bauthorization["']?: ?["']?basic )([A-Za-z0-9+/=]{8,})/gi,
  },
  { kind: 'digest', pattern: /(\bresponse=")([a-f0-9]{32,64})(?=")/gi },
  { kind: 'webhook', pattern: /(hooks\.slack\.com\/(?:services|workflows)\/)([\w/]{20,})/g },
  { kind: 'webhook', pattern: /(discord(?:app)?\.com\/api\/webhooks\/\d{16,20}\/)([\w-]{40,})/g },
  { kind: 'token', pattern: /(:\/\/)([\w-]{20,200})(?=@)/g },
  {
    kind: 'password',
    pattern: /(\blogin[ \t\n]{1,8}\S{1,100}[ \t\n]{1,8}password[ \t]{1,8})(\S{3,200})/g,
  },
  {
    kind: 'password',
    pattern: /^([\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,63}:[\w.*-]{1,63}:)(\S{4,200})$/gm,
  },
  { kind: 'password', pattern: /(\bjdbc:oracle:\w{2,4}:[\w.]{1,64}\/)([^\s@/]{3,100})(?=@)/g },
  {
    kind: 'secret',
    pattern: /([?&](?:sig|signature|x-amz-signature|x-goog-signature)=)([\w%+/=-]+)/gi,
  },
  { kind: 'registry credentials', pattern: /(["']auth["']: {0,4}["'])([A-Za-z0-9+/=]{12,})/g },
]

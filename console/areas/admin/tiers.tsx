import { getTiers, type TierTerms } from '../../../shared/contract/usage.ts'
import { METRICS, TIERS } from '../../../shared/tiers.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { locale } from '../../texts/tools/region.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { formatNumber } from './numbers.tsx'

const texts = admin.tiers
const PRICE = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })

const limitOf = (limit: number | null): string =>
  limit === null ? texts.unlimited : formatNumber(limit)

const priceOf = ({ name, price_usd }: TierTerms): string => {
  if (TIERS.find((tier) => tier.name === name)?.payment === 'usage') return texts.byUsage
  return price_usd ? PRICE.format(price_usd) : texts.free
}

export const TiersPage = () => {
  const tiers = useApi(getTiers, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={tiers}>{(data) => <TierTable tiers={data.tiers} />}</Loaded>
    </Page>
  )
}

const TierTable = ({ tiers }: { tiers: readonly TierTerms[] }) => (
  <Table
    label={texts.title}
    columns={[
      texts.tier,
      { label: texts.price, isNumeric: true },
      ...METRICS.map((metric) => ({ label: texts.metrics[metric], isNumeric: true as const })),
      { label: texts.seats, isNumeric: true },
      texts.features,
    ]}
  >
    {tiers.map((tier) => (
      <tr key={tier.name}>
        <th scope="row">{tier.name}</th>
        <td className="numeric">{priceOf(tier)}</td>
        {METRICS.map((metric) => (
          <td key={metric} className="numeric">
            {limitOf(tier.quotas[metric])}
          </td>
        ))}
        <td className="numeric">{limitOf(tier.seats)}</td>
        <td>{tier.features.join(', ') || admin.none}</td>
      </tr>
    ))}
  </Table>
)

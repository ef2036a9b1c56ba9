import { getTiers, type TierTerms } from '../../../shared/contract/billing.ts'
import { METRICS, TIERS } from '../../../shared/tiers.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { formatNumber } from './numbers.tsx'

const texts = admin.tiers
const PRICE = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' })

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
  <ScrollRegion label={texts.title}>
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{texts.tier}</th>
          <th scope="col" className="numeric">
            {texts.price}
          </th>
          {METRICS.map((metric) => (
            <th key={metric} scope="col" className="numeric">
              {texts.metrics[metric]}
            </th>
          ))}
          <th scope="col" className="numeric">
            {texts.seats}
          </th>
          <th scope="col">{texts.features}</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  </ScrollRegion>
)
